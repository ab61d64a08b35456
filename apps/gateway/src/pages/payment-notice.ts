import type { OrderReply, PaymentStatusReply } from '@tollbridge/contracts';
import { findChain, findToken } from '@tollbridge/chains';
import { formatUnits } from '@tollbridge/money';
import { html, type Html } from './html';
import { countdown, successLink } from './summary';

/** What arrived of a deposit, and what it lacks; null unless it is incomplete. */
export function missingDeposit(order: OrderReply | undefined): { missing: string; arrived: string } | null {
  const deposit = order?.cross_chain;
  if (!deposit || deposit.deposit_status !== 'incomplete' || deposit.deposited_amount === null) return null;
  const missing = BigInt(deposit.deposit_amount) - BigInt(deposit.deposited_amount);
  if (missing <= 0n) return null;
  const arrived = amountOf(deposit.deposited_amount, order);
  return { missing: amountOf(String(missing), order), arrived };
}

/** Whether the payer still has something to send. */
export function isPayable(status: PaymentStatusReply, order: OrderReply | undefined): boolean {
  if (status.status !== 'executing') return false;
  return status.pay_tx === null || isUnseen(status) || missingDeposit(order) !== null;
}

/** A transaction was submitted, and the chain does not show it yet. */
export const isUnseen = ({ pay_tx, instructions }: PaymentStatusReply): boolean =>
  pay_tx !== null && instructions !== null;

/** The state of a payment, and what happens to the money. */
export function paymentNotice(status: PaymentStatusReply, order: OrderReply | undefined): Html {
  switch (status.status) {
    case 'executing':
      return executingNotice(status, order);
    case 'completed':
      return html`<div class="notice good" role="status">
          Paid.${order?.late && html`<p>The payment arrived after its time and was accepted.</p>`}
          ${refundOf(order)}${transaction(status.settle_tx ?? status.pay_tx)}
        </div>
        ${successLink(status.payment_request)}`;
    case 'failed':
      return html`<div class="notice bad" role="status">
        This payment failed.
        <p>${reasonOf(status.failure_reason)}</p>
        ${refundOf(order) || fateOf(status)}
      </div>`;
    case 'expired':
      return html`<div class="notice bad" role="status">
        No payment arrived in time.
        <p>Do not use the payment instructions of this page any more.</p>
        <p>
          ${
            status.order.direct
              ? 'The payment contract accepts nothing after the deadline: a late transaction takes nothing from you but its network fee.'
              : 'If you have sent it already: it is credited when it arrives, or returned. This page shows which.'
          }
        </p>
      </div>`;
  }
}

function executingNotice(status: PaymentStatusReply, order: OrderReply | undefined): Html {
  const short = missingDeposit(order);
  if (short)
    return html`<div class="notice wait" role="status">
      ${short.missing} missing.
      <p>
        ${short.arrived} arrived. Send the rest to the same address, ${countdown(status.order.expires_at)}. If
        it does not arrive, what you sent is returned.
      </p>
    </div>`;
  if (isUnseen(status))
    return html`<div class="notice wait" role="status">
      A transaction was submitted and is being verified. If it is not yours, pay now: the request can be paid
      once only.
    </div>`;
  if (status.pay_tx === null)
    return html`<div class="notice wait" role="status">
      Waiting for your payment, ${countdown(status.order.expires_at)}.
    </div>`;
  return html`<div class="notice wait" role="status">
    Your payment was received. It is being confirmed.${confirmationsOf(order)}${transaction(status.pay_tx)}
  </div>`;
}

function confirmationsOf(order: OrderReply | undefined): Html | false {
  if (!order) return false;
  if (order.cross_chain)
    return html`<p>It is being exchanged and sent to the merchant. You can close this page.</p>`;
  const { confirmations: n, required_confirmations: m } = order;
  return html`<p>Confirmation ${n} of ${m}. You can close this page.</p>
    <progress max="${m}" value="${n}" aria-label="Confirmations">${n} of ${m}</progress>`;
}

function refundOf(order: OrderReply | undefined): Html | false {
  const refunded = order?.cross_chain?.refunded_amount;
  if (!refunded || refunded === '0') return false;
  return html`<p>${amountOf(refunded, order!)} was returned to the refund address.</p>`;
}

function fateOf(status: PaymentStatusReply): Html {
  return status.order.direct
    ? html`<p>The payment contract takes all or nothing: a failed transaction cost only its network fee.</p>`
    : html`<p>What you sent is returned to the refund address. This page shows when.</p>`;
}

function amountOf(atomic: string, order: OrderReply | undefined): string {
  const chain = order && findChain(order.pay_blockchain);
  const token = chain && findToken(chain, order.pay_token);
  return token ? `${formatUnits(BigInt(atomic), token.decimals)} ${token.symbol}` : `${atomic} units`;
}

const transaction = (hash: string | null) => hash !== null && html`<p class="hash">Transaction ${hash}</p>`;

/** The message of `CODE: message`. */
const reasonOf = (reason: string | null): string => reason?.replace(/^[A-Z_]+: /, '') ?? '';
