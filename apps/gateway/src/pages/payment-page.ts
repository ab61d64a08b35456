import type {
  PaymentDetailsReply,
  PaymentOption,
  PaymentStatusReply,
  PaymentStep,
  PublicPaymentRequest,
} from '@tollbridge/contracts';
import { html, webLink, type Html } from './html';
import { shopName } from './shop-name';
import type { Page } from './layout';
import { depositCard, directCard } from './payment-card';

// A block takes seconds, so a shorter interval would show nothing more.
const refreshSeconds = 5;
// A payment that has ended may still be paid late.
const slowRefreshSeconds = 60;

/** The request and its payment options, each with its own form. */
export function choicePage(
  { payment_request: request, payment_options: options }: PaymentDetailsReply,
  { qr, problem }: { qr: Html; problem?: string },
): Page {
  const isOpen = request.status === 'pending' || request.status === 'processing';
  const body = html`${head(request)} ${problem && html`<p class="notice bad" role="alert">${problem}</p>`}
  ${stateOf(request)} ${facts(request)} ${isOpen && html`<h2>Choose what to pay with</h2>`}
  ${isOpen && options.length === 0 && html`<p>No prices are available at present. Reload this page in a moment.</p>`}
  ${options.map((option) => optionForm(request.id, option))}
  ${
    isOpen &&
    html`<details>
      <summary>Open on another device</summary>
      ${qr}
    </details>`
  }`;
  return { title: titleOf(request), body };
}

/** One payment of a request, until it has ended. */
export async function paymentPage(status: PaymentStatusReply): Promise<Page> {
  const { payment_request: request, order } = status;
  const isWaiting = status.status === 'executing' && (status.pay_tx === null || isUnseen(status));
  const card = isWaiting && (order.direct ? await directCard(status) : await depositCard(status));
  const body = html`${head(request)} ${notice(status)} ${card}
    <h2>Progress</h2>
    <progress max="100" value="${status.progress}" aria-label="Progress">${status.progress} %</progress>
    <ol class="steps">
      ${status.steps.map(stepLine)}
    </ol>
    ${facts(request)} ${nextLink(status)}`;
  const seconds = { executing: refreshSeconds, failed: slowRefreshSeconds, expired: slowRefreshSeconds };
  const refresh = status.status === 'completed' ? undefined : seconds[status.status];
  return { title: titleOf(request), body, ...(refresh !== undefined && { refreshSeconds: refresh }) };
}

const titleOf = ({ amount_formatted, currency }: PublicPaymentRequest) =>
  `Pay ${amount_formatted} ${currency}`;

function head(request: PublicPaymentRequest): Html {
  return html`<h1>${request.amount_formatted} ${request.currency}</h1>
    <p class="value">
      on ${request.chain_name}${request.store_name !== null && html`, to <bdi>${request.store_name}</bdi>`}
    </p>
    ${request.description !== '' && html`<p class="description">${request.description}</p>`}`;
}

function stateOf(request: PublicPaymentRequest): Html | false {
  const seePayment =
    request.payment_id !== null &&
    html`<p><a href="/checkout/${request.id}/${request.payment_id}">See the payment</a></p>`;
  switch (request.status) {
    case 'pending':
      return false;
    case 'processing':
      return html`<div class="notice wait" role="status">A payment is in progress.${seePayment}</div>`;
    case 'completed':
      return html`<div class="notice good" role="status">This has been paid.${seePayment}</div>
        ${successLink(request)}`;
    case 'expired':
      return html`<div class="notice bad" role="status">This can no longer be paid: it has expired.</div>`;
    case 'canceled':
      return html`<div class="notice bad" role="status">
        This can no longer be paid: the merchant has canceled it.
      </div>`;
  }
}

function facts(request: PublicPaymentRequest): Html {
  return html`<dl>
    <div>
      <dt>Merchant</dt>
      <dd>${shopName(request.store_name)}${request.merchant}</dd>
    </div>
    ${
      request.receive_address !== request.merchant &&
      html`<div>
        <dt>Paid to</dt>
        <dd>${request.receive_address}</dd>
      </div>`
    }
    ${
      request.expires_at !== null &&
      html`<div>
        <dt>To be paid until</dt>
        <dd>${moment(request.expires_at)}</dd>
      </div>`
    }
  </dl>`;
}

const strategyWords: Record<PaymentOption['execution_strategy'], string> = {
  direct: 'directly',
  swap: 'with a swap',
  bridge: 'over a bridge',
  swap_and_bridge: 'with a swap, over a bridge',
};

function optionForm(requestId: string, option: PaymentOption): Html {
  const { from_token: token, from_chain: chain } = option;
  const field = `payer-${chain}-${token}`.replace(/[^\w-]/g, '-');
  return html`<form class="option" method="post" action="/checkout/${requestId}/pay">
    <div class="head">
      <img src="${option.logo}" alt="" width="36" height="36" />
      <span>
        <strong>${option.from_amount_formatted} ${token}</strong>
        on ${option.from_chain_name}
        <span class="soft">
          ${option.from_amount_usd !== null && html`about $${dollars(option.from_amount_usd)},`}
          ${strategyWords[option.execution_strategy]}, about ${option.estimated_time}</span
        >
      </span>
    </div>
    <input type="hidden" name="from_token" value="${token}" />
    <input type="hidden" name="from_chain" value="${chain}" />
    ${
      option.execution_strategy !== 'direct' &&
      html`<label for="${field}"
          >Your address on ${option.from_chain_name}, for
          refunds${!option.needs_payer_address && html` (required only when you pay from an exchange)`}</label
        >
        <input
          id="${field}"
          name="payer_address"
          ${option.needs_payer_address && html`required`}
          maxlength="256"
          autocomplete="off"
          spellcheck="false"
        />`
    }
    <button>Pay with ${token} on ${option.from_chain_name}</button>
  </form>`;
}

/** For display only. */
const dollars = (usd: string): string => Number(usd).toFixed(2);

/** A transaction was submitted, and the chain does not show it yet. */
const isUnseen = ({ pay_tx, instructions }: PaymentStatusReply): boolean =>
  pay_tx !== null && instructions !== null;

function notice(status: PaymentStatusReply): Html {
  const { order, pay_tx, settle_tx } = status;
  switch (status.status) {
    case 'executing':
      if (isUnseen(status))
        return html`<div class="notice wait" role="status">
          A transaction was submitted and is being verified. If it is not yours, pay now: the request can be
          paid once only.
        </div>`;
      return pay_tx === null
        ? html`<div class="notice wait" role="status">
            Waiting for your payment, until ${moment(order.expires_at)}.
          </div>`
        : html`<div class="notice wait" role="status">
            Your payment was received. It is being confirmed.${transaction(pay_tx)}
          </div>`;
    case 'completed':
      return html`<div class="notice good" role="status">Paid.${transaction(settle_tx ?? pay_tx)}</div>
        ${successLink(status.payment_request)}`;
    case 'failed':
      return html`<div class="notice bad" role="status">
        This payment failed.
        <p>${reasonOf(status.failure_reason)}</p>
      </div>`;
    case 'expired':
      return html`<div class="notice bad" role="status">
        No payment arrived in time.
        <p>Do not use the payment instructions of this page any more.</p>
      </div>`;
  }
}

const transaction = (hash: string | null) => hash !== null && html`<p>Transaction ${hash}</p>`;

/** The message of `CODE: message`. */
const reasonOf = (reason: string | null): string => reason?.replace(/^[A-Z_]+: /, '') ?? '';

function nextLink({ status, payment_request: request }: PaymentStatusReply): Html | false {
  if (status === 'completed') return false;
  return html`<p><a href="/checkout/${request.id}">Choose another way to pay</a></p>`;
}

function successLink({ success_url, store_name }: PublicPaymentRequest): Html | false {
  const link = webLink(success_url);
  return (
    link !== null &&
    html`<p>
      <a class="button" rel="noopener noreferrer" href="${link}"
        >Back to ${store_name === null ? 'the merchant' : html`<bdi>${store_name}</bdi>`}</a
      >
    </p>`
  );
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

/** In UTC: without a script the page does not know the reader's time zone. */
export function moment(iso: string): Html {
  const text = new Date(iso)
    .toUTCString()
    .replace(/^\w+, /, '')
    .replace(/:\d\d GMT$/, ' UTC');
  return html`<time datetime="${iso}">${text}</time>`;
}
