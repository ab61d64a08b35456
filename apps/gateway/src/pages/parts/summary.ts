import type { ExchangeRate, PublicPaymentRequest } from '@tollbridge/contracts';
import { html, type Html } from './html';
import { ltr, type Language } from '../texts/language';

export const amountOf = ({ amount_formatted, currency }: PublicPaymentRequest, language: Language): string =>
  `${language.amount(amount_formatted)} ${currency}`;

/** The price in its currency, otherwise the amount of the token. */
export const priceOf = (request: PublicPaymentRequest, language: Language): string =>
  request.price ? language.money(request.price) : amountOf(request, language);

export const titleOf = (request: PublicPaymentRequest, language: Language): string =>
  language.text('pay', { amount: priceOf(request, language) });

export interface SummaryTerms {
  /** The dollar value of the amount of a token. */
  usd?: string | null;
  /** Whether the amount of a price is fixed, because the payer has chosen how to pay. */
  isFixed?: boolean;
  /** The end of the lifetime of the order that fixes the amount; null when it cannot be paid. */
  fixedUntil?: string | null;
}

/** The price or amount and the merchant, the same on every page of a request. */
export function summary(request: PublicPaymentRequest, language: Language, terms: SummaryTerms = {}): Html {
  const { description } = request;
  return html`<header class="summary">
    <p class="shop">${shopOf(request, language)}</p>
    <h1>${ltr(priceOf(request, language))}</h1>
    <p class="value">${valueLine(request, language, terms)}</p>
    ${rateLine(request, language, terms)}
    ${description !== '' && html`<p class="description"><bdi>${description}</bdi></p>`}
    ${facts(request, language)}
  </header>`;
}

function valueLine(
  request: PublicPaymentRequest,
  language: Language,
  { usd = null, isFixed = false }: SummaryTerms,
): Html {
  const { rich } = language;
  const { chain_name: chain } = request;
  if (request.price) {
    const amount = ltr(amountOf(request, language));
    return isFixed
      ? rich('amountOnChain', { amount, chain })
      : rich('aboutValueOnChain', { value: amount, chain });
  }
  return usd === null
    ? rich('onChain', { chain })
    : rich('aboutValueOnChain', { value: dollars(usd, language), chain });
}

/** The rate of a price, and until when its amount is fixed. */
function rateLine(
  { rate }: PublicPaymentRequest,
  language: Language,
  { isFixed = false, fixedUntil = null }: SummaryTerms,
): Html | false {
  if (!rate) return false;
  const { text, rich } = language;
  const held = isFixed
    ? fixedUntil !== null && rich('rateFixed', { countdown: countdown(fixedUntil, language) })
    : text('rateLater');
  return html`<p class="rate soft">${ltr(rateOf(rate, language))}${held && html`<br />${held}`}</p>`;
}

/** For example `1 USDC = 0.92145 EUR`. */
export function rateOf({ pair, value }: ExchangeRate, language: Language): string {
  const [token, currency] = pair.split('/');
  return `1 ${token} = ${language.amount(value)} ${currency}`;
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
