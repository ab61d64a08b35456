import type { PaymentDetailsReply, PublicPaymentRequest } from '@tollbridge/contracts';
import { findChain } from '@tollbridge/chains';
import { html, type Html } from './html';
import type { Page } from './layout';
import type { HeldOption } from './held-options';
import { optionRow } from './option-row';
import { cancelLink } from './return-link';
import { countdown, successLink, summary, titleOf } from './summary';
import { isWalletFamily, walletPanel, walletTexts } from './wallet-panel';

export interface ChoiceTerms {
  /** The code of this page. */
  qr: Html;
  /** What is wrong with the submitted form. */
  problem?: string;
  /** The wallets of the payer: family to address. */
  payers?: Readonly<Record<string, string>>;
}

// What a phone shows without scrolling.
const shownOptions = 5;

/** The request and its payment options, each with its own form. */
export function choicePage(
  {
    payment_request: request,
    payment_options: options,
  }: PaymentDetailsReply & { payment_options: HeldOption[] },
  { qr, problem, payers = {} }: ChoiceTerms,
): Page {
  const isOpen = request.status === 'pending' || request.status === 'processing';
  const usd =
    options.find(({ execution_strategy: strategy }) => strategy === 'direct')?.from_amount_usd ?? null;
  const body = html`${summary(request, usd)}
    <div class="pay">
      ${problem && html`<p class="notice bad" role="alert">${problem}</p>`} ${stateOf(request)}
      ${isOpen && openPart(request, options, payers)}
      ${request.status !== 'completed' && cancelLink(request.cancel_url)}
    </div>
    ${isOpen && scanPart(qr)}`;
  const page = { title: titleOf(request), body, isSplit: true };
  if (!isOpen) return page;
  const families = new Set(options.map(({ from_chain }) => findChain(from_chain)?.family ?? ''));
  const enhancement = {
    kind: 'choice',
    id: request.id,
    families: [...families].filter(isWalletFamily),
    payers,
    texts: walletTexts,
  };
  return { ...page, enhancement };
}

function openPart(
  request: PublicPaymentRequest,
  options: readonly HeldOption[],
  payers: ChoiceTerms['payers'],
): Html {
  const isConnected = Object.keys(payers ?? {}).length > 0;
  const row = (option: HeldOption) => optionRow(request.id, option, payers ?? {});
  const { near, far, titles } = groupsOf(options);
  const nearest = near.slice(0, shownOptions);
  const first = far.slice(0, Math.max(0, shownOptions - near.length));
  const rest = options.filter((option) => !nearest.includes(option) && !first.includes(option));
  return html`${walletPanel(isConnected ? 'Connected wallets' : 'Wallets on this device')}
    <section aria-labelledby="options-title">
      <h2 id="options-title">Choose what to pay with</h2>
      ${request.expires_at !== null && html`<p class="soft">Open for payment, ${countdown(request.expires_at)}.</p>`}
      ${options.length === 0 && html`<p>No prices are available at present. Reload this page in a moment.</p>`}
      ${near.length > 0 && html`<h3>${titles.near}</h3>`} ${listOf(nearest.map(row))}
      ${first.length > 0 && html`<h3>${titles.far}</h3>`} ${listOf(first.map(row))}
      ${
        rest.length > 0 &&
        html`<details class="more">
          <summary>${rest.length} more ways to pay</summary>
          ${listOf(rest.map(row))}
        </details>`
      }
    </section>`;
}

/** What the payer holds comes first, or else what pays the merchant without an exchange. */
function groupsOf(options: readonly HeldOption[]) {
  const held = options.filter((option) => option.held);
  const direct = options.filter(({ execution_strategy: strategy }) => strategy === 'direct');
  const near = held.length > 0 ? held : direct;
  const titles =
    held.length > 0
      ? { near: 'From your wallet', far: 'Other ways' }
      : { near: 'Directly', far: 'From another token or chain, exchanged for you' };
  return { near, far: options.filter((option) => !near.includes(option)), titles };
}

const listOf = (rows: readonly Html[]): Html | false =>
  rows.length > 0 &&
  html`<ul class="list">
    ${rows.map((row) => html`<li>${row}</li>`)}
  </ul>`;

export const scanPart = (qr: Html): Html =>
  html`<aside class="scan" aria-labelledby="scan-title">
    <h2 id="scan-title">Pay on your phone</h2>
    ${qr}
    <p class="soft">Scan the code with the camera or with your wallet: it opens this page there.</p>
  </aside>`;

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
