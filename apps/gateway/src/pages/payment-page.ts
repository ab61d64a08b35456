import type { OrderReply, PaymentStatusReply, PaymentStep } from '@tollbridge/contracts';
import { findChain } from '@tollbridge/chains';
import { paymentStateId, withConfirmations } from '../live-state/resource';
import { html, type Html } from './html';
import type { Page } from './layout';
import { depositCard, directCard, type PaymentTerms } from './payment-card';
import { isPayable, paymentNotice } from './payment-notice';
import { cancelLink } from './return-link';
import { summary, titleOf } from './summary';
import { ltr, type Language } from './texts/language';
import { addChainParameters } from './wallet-chains';
import { isWalletFamily, moduleTexts } from './wallet-panel';

// A block takes seconds, so a shorter interval would show nothing more.
const refreshSeconds = 5;
// A payment that has ended may still be paid late.
const slowRefreshSeconds = 60;

/** One payment of a request, until it has ended. */
export async function paymentPage(
  status: PaymentStatusReply,
  { qr, order, language, remote = {} }: PaymentTerms,
): Promise<Page> {
  const { payment_request: request } = status;
  const canPay = isPayable(status, order);
  const card =
    canPay &&
    (await (status.order.direct
      ? directCard(status, { qr, language, remote })
      : depositCard(status, { qr, language, remote, order })));
  const body = html`${summary(request, language)}
    <div class="pay">
      ${paymentNotice(status, order, language)} ${card} ${progressOf(status, language)}
      <p>${onwardLink(status, language)}</p>
      ${status.status !== 'completed' && status.pay_tx === null && cancelLink(request.cancel_url, request.store_name, language)}
    </div>`;
  const seconds = { executing: refreshSeconds, failed: slowRefreshSeconds, expired: slowRefreshSeconds };
  const refresh = status.status === 'completed' ? undefined : seconds[status.status];
  return {
    title: titleOf(request, language),
    body,
    language,
    color: request.store_color,
    isSplit: true,
    enhancement: enhancementOf(status, order, canPay, language),
    ...(refresh !== undefined && { refreshSeconds: refresh }),
  };
}

function onwardLink({ status, payment_request: { id }, payment_id }: PaymentStatusReply, it: Language): Html {
  return status === 'completed'
    ? html`<a href="${it.href(`/checkout/${id}/${payment_id}/receipt`)}">${it.text('receipt')}</a>`
    : html`<a href="${it.href(`/checkout/${id}`)}">${it.text('chooseAnother')}</a>`;
}

/** What the module needs to pay and to follow. Amounts and receivers come from here, never from the URL. */
function enhancementOf(
  status: PaymentStatusReply,
  read: OrderReply | undefined,
  canPay: boolean,
  language: Language,
): object {
  const { order, instructions } = status;
  const chain = findChain(status.from_chain);
  const family = chain?.family ?? '';
  const hasCall = order.direct !== null || Boolean(instructions?.transfer ?? instructions?.wallet_call_url);
  const payable = canPay && instructions && hasCall && isWalletFamily(family);
  return {
    kind: 'payment',
    id: status.payment_id,
    order: status.order_id,
    isFinal: status.status === 'completed',
    state: paymentStateId(read ? withConfirmations(status, read) : status),
    families: payable ? [family] : [],
    texts: moduleTexts(language),
    ...(payable && {
      pay: {
        family,
        chainId: instructions.chain_id,
        addChain: chain && addChainParameters(chain),
        approve: instructions.approve,
        approval: `/checkout/${status.payment_request_id}/${status.payment_id}/approval/`,
        pay: instructions.pay ?? instructions.transfer ?? null,
        walletCall: instructions.wallet_call_url ? `/api/v1/pay/order/${status.order_id}/wallet-call` : null,
      },
    }),
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
