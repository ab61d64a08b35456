import type { PublicPaymentRequest } from '@tollbridge/contracts';
import { html, webLink, type Html } from './html';

export const titleOf = ({ amount_formatted, currency }: PublicPaymentRequest) =>
  `Pay ${amount_formatted} ${currency}`;

/** What is paid, and the merchant: the same on every page of a request. */
export function summary(request: PublicPaymentRequest, usd: string | null = null): Html {
  return html`<header class="summary">
    <p class="shop">${shopOf(request)}</p>
    <h1>${request.amount_formatted} ${request.currency}</h1>
    <p class="value">${usd !== null && html`about $${dollars(usd)}, `}on ${request.chain_name}</p>
    ${request.description !== '' && html`<p class="description"><bdi>${request.description}</bdi></p>`}
    ${facts(request)}
  </header>`;
}

/** The merchant chooses the name, so the address is always shown too; `bdi` keeps the text around it in order. */
function shopOf({ store_name, merchant }: PublicPaymentRequest): Html {
  const short = merchant.length > 16 ? `${merchant.slice(0, 6)}…${merchant.slice(-4)}` : merchant;
  return store_name === null
    ? html`<span class="name">Payment to ${short}</span>`
    : html`<bdi class="name">${store_name}</bdi> <span class="soft">${short}</span>`;
}

function facts(request: PublicPaymentRequest): Html {
  return html`<details class="facts">
    <summary>Details</summary>
    <dl>
      ${fact('Merchant', request.merchant)}
      ${request.receive_address !== request.merchant && fact('Paid to', request.receive_address)}
      ${request.expires_at !== null && fact('To be paid until', moment(request.expires_at))}
      ${fact('Reference', request.id)}
    </dl>
  </details>`;
}

const fact = (name: string, value: Html | string): Html =>
  html`<div>
    <dt>${name}</dt>
    <dd>${value}</dd>
  </div>`;

/** The link back to the shop of a paid request. */
export function successLink({ success_url, store_name }: PublicPaymentRequest): Html | false {
  const link = webLink(success_url);
  return (
    link !== null &&
    html`<p>
      <a class="button" rel="noopener noreferrer" target="_top" data-return="completed" href="${link}"
        >Back to ${store_name === null ? 'the merchant' : html`<bdi>${store_name}</bdi>`}</a
      >
    </p>`
  );
}

/** An amount in US dollars with two decimals, for display only. */
export function dollars(usd: string): string {
  const [whole = '0', fraction = ''] = usd.split('.');
  return `${whole}.${fraction.padEnd(2, '0').slice(0, 2)}`;
}

/** In UTC: the server does not know the reader's time zone. */
export function moment(iso: string): Html {
  const text = new Date(iso)
    .toUTCString()
    .replace(/^\w+, /, '')
    .replace(/:\d\d GMT$/, ' UTC');
  return html`<time datetime="${iso}">${text}</time>`;
}

/** The time until `iso`, which the module counts down; without it the moment. */
export function countdown(iso: string): Html {
  return html`<span class="countdown" data-countdown="${iso}">until ${moment(iso)}</span>`;
}
