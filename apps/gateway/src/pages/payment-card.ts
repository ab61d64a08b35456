import type { OrderReply, PaymentStatusReply, WalletCall } from '@tollbridge/contracts';
import { findChain } from '@tollbridge/chains';
import { copyField } from './copy-field';
import { html, walletLink, type Html } from './html';
import { missingDeposit } from './payment-notice';
import { fitsQr, qrSvg } from './qr';
import { walletPanel } from './wallet-panel';

/** The deposit instructions of a cross-chain payment. */
export async function depositCard(
  { order, instructions }: PaymentStatusReply,
  read: OrderReply | undefined,
): Promise<Html | false> {
  const deposit = order.cross_chain;
  if (!deposit) return false;
  const { deposit_token: token, deposit_memo: memo } = deposit;
  const rest = missingDeposit(read)?.missing.split(' ')[0];
  const amount = rest ?? deposit.deposit_amount_formatted;
  const uri = rest === undefined ? (instructions?.uri ?? null) : null;
  const chain = nameOf(deposit.deposit_blockchain);
  return html`${instructions?.transfer && walletPanel('Pay with your wallet')}
    <h2>Send exactly ${amount} ${token}</h2>
    <p>In one transfer on ${chain}, from any wallet.</p>
    ${copyField('To this address', deposit.deposit_address)}
    ${copyField('Amount', amount, `${amount} ${token}`)}
    ${
      memo !== null &&
      html`${copyField('With this memo', memo)}
        <p class="notice bad">Without the memo the money is lost.</p>`
    }
    ${copyField('Network', chain)} ${openLink(uri, 'Open in a wallet')}
    ${await codePart(uri ?? deposit.deposit_address, 'Deposit address')}
    <details>
      <summary>Pay from an exchange</summary>
      <p>
        Exchanges take their fee from the amount that you enter. ${amount} ${token} must arrive: enter that
        amount and the fee of the exchange. Choose ${chain} as the network, and allow for the time that the
        exchange takes to send.
      </p>
    </details>`;
}

/** How a wallet pays a direct payment. */
export async function directCard(status: PaymentStatusReply): Promise<Html | false> {
  const { order, instructions } = status;
  const { direct } = order;
  if (!direct) return false;
  const { pay, uri = null, wallet_call_url: source } = instructions ?? {};
  if (!pay && !source) return false;
  return html`${walletPanel('Pay with your wallet')}
    <div class="no-wallet">
      <h2>Pay with your wallet</h2>
      <p>Scan the code with your phone, or open this page in the browser of your wallet.</p>
    </div>
    ${!pay && openLink(uri, 'Open in a wallet')} ${!pay && uri !== null && (await codePart(uri, 'Payment'))}
    <details>
      <summary>Pay from an exchange</summary>
      <p>
        A withdrawal from an exchange cannot pay this option: it needs a wallet.
        <a href="/checkout/${status.payment_request_id}">Choose an option</a> that shows an address.
      </p>
    </details>
    <details>
      <summary>Details for developers</summary>
      ${pay ? await callsPart(status) : sourcePart(source!, direct.contract_address, nameOf(direct.chain))}
    </details>`;
}

/** The contract calls of a direct payment, for a wallet that takes raw calls. */
async function callsPart({ order, instructions }: PaymentStatusReply): Promise<Html> {
  const { direct } = order;
  const { pay, approve, uri, chain_id: chainId } = instructions!;
  return html`<p>
      ${approve ? 'Two transactions' : 'One transaction'} on ${nameOf(direct!.chain)} (chain ${chainId}) of
      the payment contract ${direct!.contract_address}. Its call data contains this order, the recipient and
      the exact amount; the contract accepts no other payment, and none after the deadline.
    </p>
    ${
      approve &&
      html`<h3>1. Approve the amount of ${direct!.payment_order.token_in}</h3>
        ${uri !== null && fitsQr(uri) && (await qrSvg(uri, 'Approval'))}
        ${openLink(uri, 'Open the approval in a wallet')} ${callFields(approve)}`
    }
    <h3>${approve ? '2. Pay' : 'Pay'}</h3>
    ${callFields(pay!)}`;
}

/** On chains where wallets sign a call that is made for their address. */
const sourcePart = (source: string, contract: string, chain: string): Html =>
  html`<p>
      One transaction on ${chain} of the payment contract ${contract}. It contains this order, the recipient
      and the exact amount. Wallets get it from
    </p>
    <code>${source}?payer=</code>
    <p>and the address of the wallet.</p>`;

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

/** Not the first code of the page: many wallets read only the address of such a link. */
async function codePart(text: string, label: string): Promise<Html | false> {
  if (!fitsQr(text)) return false;
  return html`<details>
    <summary>Code for wallets that read payment links</summary>
    ${await qrSvg(text, label)}
    <p class="soft">Compare address and amount in your wallet before you send.</p>
  </details>`;
}

function openLink(uri: string | null, label: string): Html | false {
  const link = walletLink(uri);
  return link !== null && html`<p><a class="button quiet" href="${link}">${label}</a></p>`;
}

const nameOf = (chain: string): string => findChain(chain)?.name ?? chain;
