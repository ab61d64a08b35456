import type { OrderReply, PaymentStatusReply, PaymentStep } from '@tollbridge/contracts';
import { findChain } from '@tollbridge/chains';
import { scanPart } from './choice-page';
import { html, type Html } from './html';
import type { Page } from './layout';
import { depositCard, directCard } from './payment-card';
import { isPayable, paymentNotice } from './payment-notice';
import { cancelLink } from './return-link';
import { summary, titleOf } from './summary';
import { addChainParameters } from './wallet-chains';
import { isWalletFamily, walletTexts } from './wallet-panel';

// A block takes seconds, so a shorter interval would show nothing more.
const refreshSeconds = 5;
// A payment that has ended may still be paid late.
const slowRefreshSeconds = 60;

export interface PaymentTerms {
  /** The code of this page. */
  qr: Html;
  /** Undefined while it cannot be read. */
  order?: OrderReply | undefined;
}

/** One payment of a request, until it has ended. */
export async function paymentPage(status: PaymentStatusReply, { qr, order }: PaymentTerms): Promise<Page> {
  const { payment_request: request } = status;
  const canPay = isPayable(status, order);
  const card = canPay && (status.order.direct ? await directCard(status) : await depositCard(status, order));
  const body = html`${summary(request)}
    <div class="pay">
      ${paymentNotice(status, order)} ${card} ${progressOf(status)}
      ${status.status !== 'completed' && html`<p><a href="/checkout/${request.id}">Choose another way to pay</a></p>`}
      ${status.status !== 'completed' && status.pay_tx === null && cancelLink(request.cancel_url)}
      ${status.status === 'completed' && html`<p><a href="/checkout/${request.id}/${status.payment_id}/receipt">Receipt</a></p>`}
    </div>
    ${canPay && scanPart(qr)}`;
  const seconds = { executing: refreshSeconds, failed: slowRefreshSeconds, expired: slowRefreshSeconds };
  const refresh = status.status === 'completed' ? undefined : seconds[status.status];
  return {
    title: titleOf(request),
    body,
    isSplit: true,
    enhancement: enhancementOf(status, canPay),
    ...(refresh !== undefined && { refreshSeconds: refresh }),
  };
}

/** What the module needs to pay and to follow. Amounts and receivers come from here, never from the URL. */
function enhancementOf(status: PaymentStatusReply, canPay: boolean): object {
  const { order, instructions } = status;
  const chain = findChain(status.from_chain);
  const family = chain?.family ?? '';
  const hasCall = order.direct !== null || Boolean(instructions?.transfer);
  const payable = canPay && instructions && hasCall && isWalletFamily(family);
  return {
    kind: 'payment',
    id: status.payment_id,
    order: status.order_id,
    isFinal: status.status === 'completed',
    families: payable ? [family] : [],
    texts: walletTexts,
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

function progressOf(status: PaymentStatusReply): Html {
  return html`<details class="progress" ${status.pay_tx !== null && html`open`}>
    <summary>Progress</summary>
    <progress max="100" value="${status.progress}" aria-label="Progress">${status.progress} %</progress>
    <ol class="steps">
      ${status.steps.map(stepLine)}
    </ol>
  </details>`;
}

const stepWords: Record<PaymentStep['step_type'], string> = {
  swap: 'Swap',
  bridge: 'Bridge',
  transfer: 'Transfer to the merchant',
};

const stepStates: Record<PaymentStep['status'], string> = {
  pending: 'pending',
  executing: 'in progress',
  completed: 'done',
  failed: 'failed',
};

function stepLine({ step_type, status, transaction_hash: hash }: PaymentStep): Html {
  return html`<li>
    <strong>${stepWords[step_type]}:</strong> ${stepStates[status]}
    ${hash !== null && html`<br /><span class="soft">${hash}</span>`}
  </li>`;
}
