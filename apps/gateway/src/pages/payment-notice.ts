import type { OrderReply, PaymentStatusReply } from '@tollbridge/contracts';
import { findChain, findToken } from '@tollbridge/chains';
import { formatUnits } from '@tollbridge/money';
import { apiMessage } from './api-message';
import { html, type Html } from './html';
import { notice } from './notice';
import { successLink } from './return-link';
import { countdown } from './summary';
import { ltr, type Language } from './texts/language';

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
export function paymentNotice(
  status: PaymentStatusReply,
  order: OrderReply | undefined,
  language: Language,
): Html {
  const { text } = language;
  switch (status.status) {
    case 'executing':
      return executingNotice(status, order, language);
    case 'completed':
      return html`${notice(
        'good',
        text('paid'),
        order?.late ? html`<p>${text('paidLate')}</p>` : false,
        refundOf(order, language),
        transaction(status.settle_tx ?? status.pay_tx, language),
      )}
      ${successLink(status.payment_request, language)}`;
    case 'failed':
      return notice(
        'bad',
        text('paymentFailed'),
        refundOf(order, language) || fateOf(status, language),
        status.failure_reason !== null && apiMessage(reasonOf(status.failure_reason)),
      );
    case 'expired':
      return notice(
        'bad',
        text('notPaidInTime'),
        html`<p>${text('doNotPayNow')}</p>
          <p>${text(status.order.direct ? 'nothingAfterDeadline' : 'lateDeposit')}</p>`,
      );
  }
}

function executingNotice(
  status: PaymentStatusReply,
  order: OrderReply | undefined,
  language: Language,
): Html {
  const { text, rich } = language;
  const left = countdown(status.order.expires_at, language);
  const short = missingDeposit(order);
  if (short) {
    const rest = rich('sendTheRest', { amount: ltr(short.arrived), countdown: left });
    return notice('wait', rich('missing', { amount: ltr(short.missing) }), html`<p>${rest}</p>`);
  }
  if (isUnseen(status)) return notice('wait', text('unverified'));
  if (status.pay_tx === null) return notice('wait', rich('waitingForPayment', { countdown: left }));
  const confirmations = confirmationsOf(order, language);
  return notice('wait', text('paymentReceived'), confirmations, transaction(status.pay_tx, language));
}

function confirmationsOf(order: OrderReply | undefined, { text, rich }: Language): Html | false {
  if (!order) return false;
  if (order.cross_chain) return html`<p>${text('beingExchanged')}</p>`;
  const { confirmations: n, required_confirmations: m } = order;
  return html`<p>${rich('confirmation', { count: String(n), total: String(m) })}</p>
    <progress max="${m}" value="${n}" aria-label="${text('confirmations')}">${n}/${m}</progress>`;
}

function refundOf(order: OrderReply | undefined, { rich }: Language): Html | false {
  const refunded = order?.cross_chain?.refunded_amount;
  if (!refunded || refunded === '0') return false;
  return html`<p>${rich('refunded', { amount: ltr(amountOf(refunded, order!)) })}</p>`;
}

const fateOf = (status: PaymentStatusReply, { text }: Language): Html =>
  html`<p>${text(status.order.direct ? 'allOrNothing' : 'willBeReturned')}</p>`;

/** Without a known token, the amount in its smallest unit. */
function amountOf(atomic: string, order: OrderReply | undefined): string {
  const chain = order && findChain(order.pay_blockchain);
  const token = chain && findToken(chain, order.pay_token);
  return token ? `${formatUnits(BigInt(atomic), token.decimals)} ${token.symbol}` : atomic;
}

const transaction = (hash: string | null, { rich }: Language): Html | false =>
  hash !== null && html`<p class="hash">${rich('transactionHash', { hash: ltr(hash) })}</p>`;

/** The message of `CODE: message`. */
const reasonOf = (reason: string): string => reason.replace(/^[A-Z_]+: /, '');
