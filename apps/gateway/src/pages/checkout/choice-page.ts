import type { PaymentDetailsReply, PublicPaymentRequest } from '@tollbridge/contracts';
import { findChain } from '@tollbridge/chains';
import { requestStateId } from '../../live-state/resource';
import { html, type Html } from '../parts/html';
import type { Page } from '../parts/layout';
import type { HeldOption } from '../wallets/held-options';
import { notice } from '../parts/notice';
import { optionRow } from '../parts/option-row';
import { canceledNotice, elsewhereNotice, seePayment, warningOf } from './payment-notice';
import type { RemoteWallets } from '../wallets/remote-wallets';
import { cancelLink, successLink } from '../serving/return-link';
import { countdown, summary, titleOf, unreadPart } from '../parts/summary';
import type { Language } from '../texts/language';
import {
  isWalletFamily,
  moduleTexts,
  walletPanel,
  walletStatus,
  type WalletPanelTerms,
} from '../wallets/wallet-panel';

export interface ChoiceTerms {
  /** The QR code of this page. */
  qr: Html;
  language: Language;
  /** Wallets on other devices. Without it, the page has none. */
  remote?: RemoteWallets;
  /** The error of the submitted form. */
  problem?: Html | string;
  /** The payer's wallet addresses by chain family. */
  payers?: Readonly<Record<string, string>>;
  /** Whether a balance could not be read, but a repeated request may return it. */
  isIncomplete?: boolean;
}

// The number of options that a phone shows without scrolling.
const shownOptions = 5;

/** The request and its payment options, each with its own form. */
export function choicePage(
  {
    payment_request: request,
    payment_options: options,
  }: PaymentDetailsReply & { payment_options: HeldOption[] },
  { qr, language, remote = {}, problem, payers = {}, isIncomplete = false }: ChoiceTerms,
): Page {
  const { attempt = null } = request;
  const isInFlight = attempt?.state === 'asking' || attempt?.state === 'sent';
  // While a payment is in progress, another option would cause a second payment.
  const isPending = request.status === 'pending' && !request.receive_address_required;
  const isOpen = isPending && !isInFlight;
  const usd =
    options.find(({ execution_strategy: strategy }) => strategy === 'direct')?.from_amount_usd ?? null;
  const families = [
    ...new Set(options.map(({ from_chain }) => findChain(from_chain)?.family ?? '').filter(isWalletFamily)),
  ];
  const body = html`${summary(request, language, { usd })}
    <div class="pay">
      ${problem && html`<div class="notice bad" role="alert">${problem}</div>`} ${stateOf(request, language)}
      ${request.status === 'pending' && !isPending && notice('wait', language.text('noReceiver'))}
      ${isOpen && openPart(request, options, { payers, isIncomplete, families, remote, language })}
      ${request.status !== 'completed' && cancelLink(request.cancel_url, request.store_name, language)}
    </div>
    ${isOpen && scanPart(qr, language)}`;
  const page = {
    title: titleOf(request, language),
    body,
    isSplit: true,
    language,
    color: request.store_color,
  };
  // A payment in progress is updated live, too.
  if (!isPending && request.status !== 'processing') return page;
  const enhancement = {
    kind: 'choice',
    id: request.id,
    families,
    payers,
    isIncomplete: isOpen && isIncomplete,
    state: requestStateId(request),
    stateUrl: `/checkout/${request.id}/state`,
    evmChains: [...new Set(options.flatMap(({ from_chain }) => findChain(from_chain)?.chainId ?? []))],
    texts: moduleTexts(language),
  };
  return { ...page, enhancement };
}

function openPart(
  request: PublicPaymentRequest,
  options: readonly HeldOption[],
  {
    payers,
    isIncomplete,
    ...panel
  }: WalletPanelTerms & Required<Pick<ChoiceTerms, 'payers' | 'isIncomplete'>>,
): Html {
  const { language } = panel;
  const { text, rich } = language;
  const isConnected = Object.keys(payers).length > 0;
  const row = (option: HeldOption) => optionRow(request.id, option, payers, language);
  const { near, far, titles } = groupsOf(options, language);
  const nearest = near.slice(0, shownOptions);
  const first = far.slice(0, Math.max(0, shownOptions - near.length));
  const rest = options.filter((option) => !nearest.includes(option) && !first.includes(option));
  const expiry = request.expires_at !== null && countdown(request.expires_at, language);
  return html`${walletPanel(text(isConnected ? 'connectedWallets' : 'walletsHere'), panel)} ${walletStatus()}
    <section aria-labelledby="options-title">
      <h2 id="options-title">${text('chooseOption')}</h2>
      ${expiry && html`<p class="soft">${rich('openForPayment', { countdown: expiry })}</p>`}
      ${isIncomplete && unreadPart(language)} ${options.length === 0 && html`<p>${text('noPrices')}</p>`}
      ${near.length > 0 && html`<h3>${titles.near}</h3>`} ${listOf(nearest.map(row))}
      ${first.length > 0 && html`<h3>${titles.far}</h3>`} ${listOf(first.map(row))}
      ${
        rest.length > 0 &&
        html`<details class="more">
          <summary>${rich('moreWays', { count: language.amount(String(rest.length)) })}</summary>
          ${listOf(rest.map(row))}
        </details>`
      }
    </section>`;
}

/** Groups the options: tokens that the payer holds come first, otherwise options without an exchange. */
function groupsOf(options: readonly HeldOption[], { text }: Language) {
  const held = options.filter((option) => option.held && option.held.balance !== '0');
  const direct = options.filter(({ execution_strategy: strategy }) => strategy === 'direct');
  const near = held.length > 0 ? held : direct;
  const titles =
    held.length > 0
      ? { near: text('fromYourWallet'), far: text('otherWays') }
      : { near: text('directly'), far: text('exchangedForYou') };
  return { near, far: options.filter((option) => !near.includes(option)), titles };
}

const listOf = (rows: readonly Html[]): Html | false =>
  rows.length > 0 &&
  html`<ul class="list">
    ${rows.map((row) => html`<li>${row}</li>`)}
  </ul>`;

export const scanPart = (qr: Html, { text }: Language): Html =>
  html`<aside class="scan" aria-labelledby="scan-title">
    <h2 id="scan-title">${text('payOnPhone')}</h2>
    ${qr}
    <p class="soft">${text('scanHint')}</p>
  </aside>`;

function stateOf(request: PublicPaymentRequest, language: Language): Html | false {
  const { text } = language;
  switch (request.status) {
    case 'pending':
      return attemptNotice(request, language);
    case 'processing':
      return elsewhereNotice(request, language);
    case 'completed':
      return html`${elsewhereNotice(request, language)} ${successLink(request, language)}`;
    case 'expired':
      return notice('bad', text('requestExpired'));
    case 'canceled':
      return canceledNotice(request, language);
  }
}

/** The notice about a transaction that is in flight or may have been sent. */
function attemptNotice(request: PublicPaymentRequest, language: Language): Html | false {
  const { attempt } = request;
  if (!attempt) return false;
  const { text } = language;
  const link = seePayment(request, language);
  if (attempt.state === 'asking') return notice('wait', text('attemptAsking'), link);
  if (attempt.state === 'sent') return notice('wait', text('attemptSent'), link);
  return notice('bad', text(warningOf(attempt)), link);
}
