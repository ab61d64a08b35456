import type { PaymentDetailsReply, PaymentOption } from '@tollbridge/contracts';
import { findChain, findToken, type Chain, type Token } from '@tollbridge/chains';
import { choicePage } from '../pages/checkout/choice-page';
import type { Page } from '../pages/parts/layout';
import { qrSvg } from '../pages/parts/qr';
import { english } from '../pages/texts/languages';

/** The unsaved values in the form of the settings. */
export interface EnteredStorefront {
  storeName?: string;
  storeColor?: string;
  /** `shown` means that there is a logo, which the dashboard inserts. */
  logo?: string;
  chain?: string;
  token?: string;
  receiver?: string;
}

const requestId = '00000000-0000-4000-8000-000000000000';
const fallback = findChain('base')!;
const color = /^#[0-9a-f]{6}$/i;
const longestName = 64;
const longestAddress = 128;
/** An image with one transparent pixel. */
const emptyImage = 'data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==';
const exampleUsd = '12.50';

/**
 * The checkout page of an example request with unsaved settings. It has no script, so it cannot pay.
 * @param wallet the wallet of the session, which is the receiver unless the settings have another address
 */
export async function previewPage(entered: EnteredStorefront, wallet: string): Promise<Page> {
  const { chain, token } = placeOf(entered);
  const details = detailsOf(entered, { chain, token, wallet });
  const qr = await qrSvg('https://checkout.example', 'Preview');
  const { enhancement: _module, ...page } = choicePage(details, { qr, language: english });
  return page;
}

/** The chain and token of the settings; for unknown names, the default chain and USDC. */
function placeOf({ chain: chainName = '', token: symbol = '' }: EnteredStorefront) {
  const chain = findChain(chainName) ?? fallback;
  const token = findToken(chain, symbol) ?? findToken(chain, 'USDC') ?? chain.tokens[0]!;
  return { chain, token };
}

interface Place {
  chain: Chain;
  token: Token;
  wallet: string;
}

function detailsOf(
  { storeName = '', storeColor = '', logo = '', receiver = '' }: EnteredStorefront,
  { chain, token, wallet }: Place,
): PaymentDetailsReply {
  const atomic = 125n * 10n ** BigInt(Math.max(0, token.decimals - 1));
  const shown = storeName.replace(/\s+/g, ' ').trim();
  return {
    payment_request: {
      id: requestId,
      status: 'pending',
      amount: String(atomic),
      amount_formatted: exampleUsd,
      currency: token.symbol,
      chain: chain.id,
      chain_name: chain.name,
      description: 'Order 4711: two espressos',
      merchant: wallet,
      store_name: [...shown].slice(0, longestName).join('') || null,
      store_color: color.test(storeColor) ? storeColor.toLowerCase() : null,
      store_logo: logo === 'shown' ? emptyImage : null,
      embed_origins: [],
      receive_address: receiver.trim().slice(0, longestAddress) || wallet,
      receive_address_required: false,
      success_url: null,
      cancel_url: null,
      expires_at: null,
      payment_id: null,
      paylink_id: null,
    },
    payment_options: [optionOf(chain, token, String(atomic))],
  };
}

const optionOf = (chain: Chain, token: Token, atomic: string): PaymentOption => ({
  from_token: token.symbol,
  from_chain: chain.id,
  from_chain_name: chain.name,
  from_amount: atomic,
  from_amount_formatted: exampleUsd,
  from_amount_usd: null,
  execution_strategy: 'direct',
  estimated_time: '6 seconds',
  estimated_seconds: 6,
  needs_payer_address: false,
  logo: token.logo,
});
