import type {
  OrderReply,
  PaymentAttempt,
  PaymentStatusReply,
  PublicPaymentRequest,
} from '@tollbridge/contracts';
import { apiMessage } from '../parts/api-message';
import { html, type Html } from '../parts/html';
import { notice } from '../parts/notice';
import { amountInTokens, missingDeposit, payStateOf } from './pay-state';
import { successLink } from '../serving/return-link';
import { countdown } from '../parts/summary';
import { ltr, type Language } from '../texts/language';

/** The state of a payment, and an explanation of what happens to the money. */
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
  const { text } = language;
  const { attempt } = status.payment_request;
  const hash = transaction(attempt?.tx_hash ?? null, language);
  switch (payStateOf(status, order)) {
    case 'open':
      return notice('wait', ...dueOf(status, order, language));
    case 'asking':
      return notice('wait', text('attemptAsking'));
    case 'sent':
      return notice('wait', text('attemptSent'), hash);
    case 'again': {
      const due = missingDeposit(order) !== null && html`<p>${dueOf(status, order, language)}</p>`;
      return notice('bad', text(warningOf(attempt!)), hash, due);
    }
    case 'canceled':
      return canceledNotice(status.payment_request, language);
    case 'elsewhere':
      return elsewhereNotice(status.payment_request, language);
    case 'done':
      return notice(
        'wait',
        text('paymentReceived'),
        confirmationsOf(order, language),
        transaction(status.pay_tx, language),
      );
  }
}

/** The expected amount: the whole amount, or the rest of a deposit. */
function dueOf(status: PaymentStatusReply, order: OrderReply | undefined, language: Language): Html[] {
  const { rich } = language;
  const left = countdown(status.order.expires_at, language);
  const short = missingDeposit(order);
  if (!short) return [rich('waitingForPayment', { countdown: left })];
  const rest = rich('sendTheRest', {
    amount: ltr(amountInTokens(short.arrivedAtomic, order!, language)),
    countdown: left,
  });
  return [
    rich('missing', { amount: ltr(amountInTokens(short.missingAtomic, order!, language)) }),
    html`<p>${rest}</p>`,
  ];
}

/** The reason to check the wallet before paying again. */
export function warningOf({ state, tx_hash }: PaymentAttempt) {
  if (state === 'failed') return 'attemptFailed';
  return tx_hash === null ? 'attemptUnanswered' : 'attemptUnseen';
}

/** The notice that the request cannot be paid any more. */
export const canceledNotice = ({ paylink_id: link }: PublicPaymentRequest, { text }: Language): Html =>
  notice('bad', text(link === null ? 'requestCanceled' : 'linkClosedHint'));

/** The notice that another payment of the request is in progress, or has paid it. */
export function elsewhereNotice(request: PublicPaymentRequest, language: Language): Html {
  const isPaid = request.status === 'completed';
  return notice(
    isPaid ? 'good' : 'wait',
    language.text(isPaid ? 'alreadyPaid' : 'paymentInProgress'),
    seePayment(request, language),
  );
}

/** The link to the payment in progress. */
export function seePayment(
  { id, payment_id, attempt }: PublicPaymentRequest,
  language: Language,
): Html | false {
  const payment = attempt?.payment_id ?? payment_id;
  return (
    payment !== null &&
    html`<p><a href="${language.href(`/checkout/${id}/${payment}`)}">${language.text('seePayment')}</a></p>`
  );
}

function confirmationsOf(order: OrderReply | undefined, language: Language): Html | false {
  if (!order) return false;
  const { text, rich } = language;
  if (order.cross_chain) return html`<p>${text('beingExchanged')}</p>`;
  const { confirmations: n, required_confirmations: m } = order;
  return html`<p>
      ${rich('confirmation', { count: language.amount(String(n)), total: language.amount(String(m)) })}
    </p>
    <progress max="${m}" value="${n}" aria-label="${text('confirmations')}">${n}/${m}</progress>`;
}

function refundOf(order: OrderReply | undefined, language: Language): Html | false {
  const refunded = order?.cross_chain?.refunded_amount;
  if (!refunded || refunded === '0') return false;
  const amount = ltr(amountInTokens(refunded, order!, language));
  return html`<p>${language.rich('refunded', { amount })}</p>`;
}

const fateOf = (status: PaymentStatusReply, { text }: Language): Html =>
  html`<p>${text(status.order.direct ? 'allOrNothing' : 'willBeReturned')}</p>`;

const transaction = (hash: string | null, { rich }: Language): Html | false =>
  hash !== null && html`<p class="hash">${rich('transactionHash', { hash: ltr(hash) })}</p>`;

/** The message of a text `CODE: message`. */
const reasonOf = (reason: string): string => reason.replace(/^[A-Z_]+: /, '');
