import type { PaymentDetailsReply, PaymentOption } from '@tollbridge/contracts';
import { findChain, findToken, type Chain, type Token } from '@tollbridge/chains';
import { choicePage } from '../pages/checkout/choice-page';
import type { Page } from '../pages/parts/layout';
import { qrSvg } from '../pages/parts/qr';
import { english } from '../pages/texts/languages';

/** What the form of the settings holds, as it is entered. */
export interface EnteredStorefront {
  storeName?: string;
  storeColor?: string;
  /** `shown`: there is a logo. The dashboard puts it into its place. */
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
/** One transparent pixel. */
const emptyImage = 'data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==';
const exampleUsd = '12.50';

/**
 * The checkout of an example request with unsaved settings, without the module: nothing in it can be paid.
 * @param wallet that of the session, which receives unless the settings name another address
 */
export async function previewPage(entered: EnteredStorefront, wallet: string): Promise<Page> {
  const { chain, token } = placeOf(entered);
  const details = detailsOf(entered, { chain, token, wallet });
  const qr = await qrSvg('https://checkout.example', 'Preview');
  const { enhancement: _module, ...page } = choicePage(details, { qr, language: english });
  return page;
}

/** Unknown names show the place that the dashboard proposes. */
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
