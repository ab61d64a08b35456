import type { OrderReply, PaymentStatusReply, PaymentStep } from '@tollbridge/contracts';
import { paymentStateId, withConfirmations } from '../../live-state/resource';
import { html, type Html } from '../parts/html';
import type { Page } from '../parts/layout';
import { isPayable, payStateOf } from './pay-state';
import { payableOf } from './payable';
import { payCard } from './payment-card';
import type { PaymentTerms } from './payment-terms';
import { paymentNotice } from './payment-notice';
import { cancelLink } from '../serving/return-link';
import { isReviewUnread } from './review';
import { summary, titleOf } from '../parts/summary';
import { ltr, type Language } from '../texts/language';
import { moduleTexts, walletStatus } from '../wallets/wallet-panel';

// A block takes seconds, so a shorter interval would show nothing new.
const refreshSeconds = 5;
// A payment that has ended may still be paid late.
const slowRefreshSeconds = 60;

/** The page of one payment of a request, until the payment has ended. */
export async function paymentPage(status: PaymentStatusReply, terms: PaymentTerms): Promise<Page> {
  const { order, language } = terms;
  const { payment_request: request } = status;
  const card = await payCard(status, terms);
  const fixedUntil = isPayable(status, order) ? status.order.expires_at : null;
  const body = html`${summary(request, language, { isFixed: true, fixedUntil })}
    <div class="pay">
      ${paymentNotice(status, order, language)} ${walletStatus()} ${card} ${progressOf(status, language)}
      <p>${onwardLink(status, order, language)}</p>
      ${status.status !== 'completed' && canLeave(status, order) && cancelLink(request.cancel_url, request.store_name, language)}
    </div>`;
  const seconds = { executing: refreshSeconds, failed: slowRefreshSeconds, expired: slowRefreshSeconds };
  const refresh = status.status === 'completed' ? undefined : seconds[status.status];
  return {
    title: titleOf(request, language),
    body,
    language,
    color: request.store_color,
    isSplit: true,
    enhancement: enhancementOf(status, terms),
    ...(refresh !== undefined && { refreshSeconds: refresh }),
  };
}

/** Whether no transaction is in flight, so that the payer may choose another option. */
const canLeave = (status: PaymentStatusReply, order: OrderReply | undefined): boolean =>
  status.pay_tx === null && !['asking', 'sent'].includes(payStateOf(status, order));

/** While a transaction is in flight, another option would cause a second payment. */
function onwardLink(status: PaymentStatusReply, order: OrderReply | undefined, it: Language): Html | false {
  const { payment_request_id: id, payment_id } = status;
  if (status.status === 'completed')
    return html`<a href="${it.href(`/checkout/${id}/${payment_id}/receipt`)}">${it.text('receipt')}</a>`;
  const canChoose = status.status !== 'executing' || isPayable(status, order);
  // A price is converted again after the end of its order.
  const isOver = status.status === 'expired' && status.payment_request.price !== undefined;
  const label = it.text(isOver ? 'newAmount' : 'chooseAnother');
  return canChoose && html`<a href="${it.href(`/checkout/${id}`)}">${label}</a>`;
}

/** Data for the browser script to pay and to watch the payment. */
function enhancementOf(
  status: PaymentStatusReply,
  { order: read, language, review, payers = {} }: PaymentTerms,
): object {
  const state = payStateOf(status, read);
  const pay = payableOf(status, read);
  const canPay = state === 'open' || state === 'again';
  return {
    kind: 'payment',
    id: status.payment_id,
    order: status.order_id,
    isFinal: status.status === 'completed',
    state: paymentStateId(read ? withConfirmations(status, read) : status),
    families: pay && canPay ? [pay.family] : [],
    texts: moduleTexts(language, pay?.chainName),
    payers,
    isIncomplete: !read || (pay !== undefined && canPay && isReviewUnread(review)),
    payState: state,
    attempt: `/checkout/${status.payment_request_id}/${status.payment_id}/attempt`,
    version: status.version,
    ...(pay && { pay: { ...pay, isShort: review?.wallet?.is_enough === false } }),
  };
}

function progressOf(status: PaymentStatusReply, language: Language): Html {
  const label = language.text('progress');
  return html`<details class="progress" ${status.pay_tx !== null && html`open`}>
    <summary>${label}</summary>
    <progress max="100" value="${status.progress}" aria-label="${label}">${status.progress} %</progress>
    <ol class="steps">
      ${status.steps.map((step) => stepLine(step, language))}
    </ol>
  </details>`;
}

const stepTexts = { swap: 'stepSwap', bridge: 'stepBridge', transfer: 'stepTransfer' } as const;

const stateTexts = {
  pending: 'statePending',
  executing: 'stateExecuting',
  completed: 'stateCompleted',
  failed: 'stateFailed',
} as const;

function stepLine(
  { step_type, status, transaction_hash: hash }: PaymentStep,
  { text, rich }: Language,
): Html {
  const step = html`<strong>${text(stepTexts[step_type])}</strong>`;
  return html`<li>
    ${rich('stepLine', { step, state: text(stateTexts[status]) })}
    ${hash !== null && html`<br /><span class="soft">${ltr(hash)}</span>`}
  </li>`;
}
