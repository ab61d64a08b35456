import type { PublicPaymentRequest } from '@tollbridge/contracts';
import { html, type Html } from './html';
import { ltr, type Language } from '../texts/language';

export const amountOf = ({ amount_formatted, currency }: PublicPaymentRequest, language: Language): string =>
  `${language.amount(amount_formatted)} ${currency}`;

export const titleOf = (request: PublicPaymentRequest, language: Language): string =>
  language.text('pay', { amount: amountOf(request, language) });

/** The amount and the merchant, the same on every page of a request. */
export function summary(request: PublicPaymentRequest, language: Language, usd: string | null = null): Html {
  const { rich } = language;
  const { chain_name: chain, description } = request;
  return html`<header class="summary">
    <p class="shop">${shopOf(request, language)}</p>
    <h1>${ltr(amountOf(request, language))}</h1>
    <p class="value">
      ${usd === null ? rich('onChain', { chain }) : rich('aboutValueOnChain', { value: dollars(usd, language), chain })}
    </p>
    ${description !== '' && html`<p class="description"><bdi>${description}</bdi></p>`}
    ${facts(request, language)}
  </header>`;
}

/** The merchant chooses the name, so the address is always shown too. `bdi` keeps the text around the name in order. */
export function shopOf(
  { store_name, store_logo, merchant }: Pick<PublicPaymentRequest, 'store_name' | 'store_logo' | 'merchant'>,
  { rich }: Language,
): Html {
  const short = ltr(merchant.length > 16 ? `${merchant.slice(0, 6)}…${merchant.slice(-4)}` : merchant);
  return store_name === null
    ? html`${logo(store_logo)}<span class="name">${rich('paymentTo', { merchant: short })}</span>`
    : html`${logo(store_logo)}<bdi class="name">${store_name}</bdi> <span class="soft">${short}</span>`;
}

/** The logo of a shop, next to the shop's name. The path is on this server. */
export const logo = (path: string | null): Html | false =>
  path !== null && html`<img class="logo" src="${path}" alt="" /> `;

function facts(request: PublicPaymentRequest, language: Language): Html {
  const { text } = language;
  const { receive_address: receiver } = request;
  return html`<details class="facts">
    <summary>${text('details')}</summary>
    <dl>
      ${fact(text('merchant'), ltr(request.merchant))}
      ${receiver !== '' && receiver !== request.merchant && fact(text('paidTo'), ltr(receiver))}
      ${request.expires_at !== null && fact(text('payUntil'), moment(request.expires_at, language))}
      ${fact(text('reference'), ltr(request.id))}
    </dl>
  </details>`;
}

/** A row of a `dl`. */
export const fact = (name: string, value: Html | string): Html =>
  html`<div>
    <dt>${name}</dt>
    <dd>${value}</dd>
  </div>`;

/** In right-to-left languages, the format has its own direction. */
export const dollars = (usd: string, language: Language): Html =>
  language.direction === 'ltr' ? ltr(language.dollars(usd)) : html`<bdi>${language.dollars(usd)}</bdi>`;

export const moment = (iso: string, language: Language): Html =>
  html`<time datetime="${iso}">${language.moment(iso)}</time>`;

/** The time until `iso`, which the script counts down. Without a script, shows the time itself. */
export function countdown(iso: string, language: Language): Html {
  const until = language.rich('until', { time: moment(iso, language) });
  return html`<bdi class="countdown" data-countdown="${iso}">${until}</bdi>`;
}

/** Replaces a balance that could not be read. The script requests it again. */
export const unreadPart = ({ text }: Language): Html =>
  html`<p class="holding unread" role="status">${text('holdingUnread')}</p>`;
