import type { PaymentStatusReply, WalletCall } from '@tollbridge/contracts';
import { findChain } from '@tollbridge/chains';
import { html, walletLink, type Html } from './html';
import { fitsQr, qrSvg } from './qr';

/** The deposit instructions of a cross-chain payment. */
export async function depositCard({ order, instructions }: PaymentStatusReply): Promise<Html | false> {
  const deposit = order.cross_chain;
  if (!deposit) return false;
  const uri = instructions?.uri ?? null;
  const code = await codeOf(uri ?? deposit.deposit_address, 'Deposit address');
  return html`<h2>Send exactly ${deposit.deposit_amount_formatted} ${deposit.deposit_token}</h2>
    ${code} ${openLink(uri, 'Open in a wallet')}
    <h3>Amount</h3>
    <code>${deposit.deposit_amount_formatted}</code>
    <h3>To this address</h3>
    <code>${deposit.deposit_address}</code>
    ${
      deposit.deposit_memo !== null &&
      html`<h3>With this memo</h3>
        <code>${deposit.deposit_memo}</code>
        <p class="notice bad">Without the memo the money is lost.</p>`
    }
    <p class="soft">
      Send it in one transfer of ${deposit.deposit_token} on ${nameOf(deposit.deposit_blockchain)}. This page
      shows when it has arrived.
    </p>`;
}

/** The contract calls of a direct payment, for a wallet. */
export async function directCard(status: PaymentStatusReply): Promise<Html | false> {
  const { order, instructions } = status;
  const { direct } = order;
  const { pay, approve, uri, chain_id: chainId } = instructions ?? {};
  if (!direct) return false;
  if (!pay) return walletCallCard(status, direct.contract_address);
  const { payment_order: terms } = direct;
  const code = uri ? await codeOf(uri, 'Approval') : false;
  return html`<h2>Pay with your wallet</h2>
    <p>
      ${approve ? 'Two transactions' : 'One transaction'} on ${nameOf(direct.chain)} (chain ${chainId}) of the
      payment contract ${direct.contract_address}. Its call data contains this order, the recipient and the
      exact amount; the contract accepts no other payment, and none after the deadline.
    </p>
    ${
      approve &&
      html`<h3>1. Approve the amount of ${terms.token_in}</h3>
        ${code} ${openLink(uri ?? null, 'Open the approval in a wallet')} ${callFields(approve)}`
    }
    <h3>${approve ? '2. Pay' : 'Pay'}</h3>
    ${callFields(pay)}
    <p class="soft">This page shows when the payment has arrived.</p>`;
}

/** On chains whose wallets sign a call that is made for their address: a link where wallets follow one, and its source. */
async function walletCallCard(
  { order, instructions }: PaymentStatusReply,
  contract: string,
): Promise<Html | false> {
  const { uri = null, wallet_call_url: source } = instructions ?? {};
  if (!source) return false;
  const code = uri !== null && (await codeOf(uri, 'Payment'));
  return html`<h2>Pay with your wallet</h2>
    <p>
      One transaction on ${nameOf(order.direct!.chain)} of the payment contract ${contract}. It contains this
      order, the recipient and the exact amount; the contract accepts no other payment, and none after the
      deadline.
    </p>
    ${code} ${openLink(uri, 'Open in a wallet')}
    <p class="soft">Wallets get the transaction to sign from</p>
    <code>${source}?payer=</code>
    <p class="soft">and the address of the wallet. This page shows when the payment has arrived.</p>`;
}

function callFields({ to, data, value }: WalletCall): Html {
  return html`<p class="soft">To</p>
    <code>${to}</code>
    ${
      value !== '0' &&
      html`<p class="soft">Value, in the smallest unit of the coin</p>
        <code>${value}</code>`
    }
    <p class="soft">Data</p>
    <code class="long" tabindex="0">${data}</code>`;
}

const codeOf = async (text: string, label: string): Promise<Html | false> =>
  fitsQr(text) && qrSvg(text, label);

function openLink(uri: string | null, label: string): Html | false {
  const link = walletLink(uri);
  return link !== null && html`<p><a class="button" href="${link}">${label}</a></p>`;
}

const nameOf = (chain: string): string => findChain(chain)?.name ?? chain;
