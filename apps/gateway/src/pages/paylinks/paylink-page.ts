import type { PublicPayLink } from '@tollbridge/contracts';
import { findChain, paymentUri, type Chain } from '@tollbridge/chains';
import { formatUnits } from '@tollbridge/money';
import { scanPart } from '../checkout/choice-page';
import { html, type Html } from '../parts/html';
import type { Page } from '../parts/layout';
import { notice } from '../parts/notice';
import { fitsQr, qrSvg } from '../parts/qr';
import { cancelLink } from '../serving/return-link';
import { shopName } from '../parts/shop-name';
import { fact, moment, shopOf } from '../parts/summary';
import { ltr, type Language } from '../texts/language';

export interface LinkTerms {
  language: Language;
  /** The QR code of this page. */
  qr: Html;
  /** The key of the checkout that this page starts, so that a second click does not start a second one. */
  key: string;
  /** The id of the paid checkout of this browser. */
  paid?: string | undefined;
  /** The error of the submitted form, and the amount in it. */
  problem?: Html;
  amount?: string;
}

/**
 * The page of a PayLink: a button for the checkout, and instructions for a plain transfer with a form for its
 * transaction.
 */
export async function linkPage(link: PublicPayLink, terms: LinkTerms): Promise<Page> {
  const { language, qr, problem, paid } = terms;
  const { text } = language;
  const amount = linkAmount(link, language);
  const chain = findChain(link.network)?.name ?? link.network;
  const shop = { store_name: link.storeName, store_logo: link.storeLogo, merchant: link.receiveAddress };
  const body = html`<header class="summary">
      <p class="shop">${shopOf(shop, language)}</p>
      <h1><bdi>${amount}</bdi></h1>
      <p class="value">${valueOf(link, chain, language)}</p>
      <p class="description"><bdi>${link.name}</bdi></p>
      ${link.description !== '' && html`<p><bdi>${link.description}</bdi></p>`}
    </header>
    <div class="pay">
      ${paid !== undefined && paidNotice(paid, language)}
      ${problem && html`<div class="notice bad" role="alert">${problem}</div>`}
      ${!link.receiverVerified && html`<div class="notice wait">${text('unprovenReceiver')}</div>`}
      ${checkoutForm(link, terms, amount)} ${!link.price && (await transferPart(link, language, amount))}
      ${cancelLink(link.cancelUrl, link.storeName, language)}
    </div>
    ${scanPart(qr, language)}`;
  const title = text('linkTitle', { name: link.name, amount });
  return { title, body, isSplit: true, language, color: link.storeColor };
}

/**
 * The form that starts the checkout with all payment options. It is a POST, so that reading the page starts nothing.
 */
function checkoutForm(
  link: PublicPayLink,
  { language, key, paid, amount: entered = '' }: LinkTerms,
  amount: string,
): Html {
  const { text } = language;
  const field = html`<label for="amount">${text('amount')} <bdi>${link.token}</bdi></label>
    <input
      id="amount"
      name="amount"
      value="${entered}"
      required
      dir="ltr"
      inputmode="decimal"
      maxlength="80"
      autocomplete="off"
    />`;
  return html`<form method="post" action="${language.href(`/l/${encodeURIComponent(link.id)}/checkout`)}">
    <input type="hidden" name="key" value="${key}" />
    ${link.openAmount && field}
    <button>
      ${paid === undefined ? text('pay', { amount: link.openAmount ? link.token : amount }) : text('payAgain')}
    </button>
    <p class="soft">${text('payLinkHint')}</p>
  </form>`;
}

/**
 * The part for payers with a wallet that the checkout does not support: a transfer of the token itself, and its hash.
 */
async function transferPart(link: PublicPayLink, language: Language, amount: string): Promise<Html> {
  const { text } = language;
  const chain = findChain(link.network);
  const uri = walletUri(link, chain);
  const scanned = uri ?? link.receiveAddress;
  return html`<details class="more">
    <summary>${text('payByTransfer')}</summary>
    ${factsOf(link, chain, language)} ${fitsQr(scanned) && (await qrSvg(scanned, text('pay', { amount })))}
    ${uri !== null && html`<p><a class="button" href="${uri}">${text('openInWallet')}</a></p>`}
    <h2>${text('paidQuestion')}</h2>
    <p class="soft">${text('submitHint')}</p>
    ${submissionForm(link.id, language)}
  </details>`;
}

/** The notice that a payment has arrived, so that another payment is deliberate. */
const paidNotice = (checkout: string, language: Language): Html =>
  notice(
    'good',
    language.text('alreadyPaid'),
    html`<p><a href="${language.href(`/checkout/${checkout}`)}">${language.text('seePayment')}</a></p>`,
  );

/** The page of a closed link, which equals the page of an unknown link. */
export function closedPage(id: string, language: Language): Page {
  const { text } = language;
  const body = html`<h1>${text('linkClosed')}</h1>
    <p>${text('linkClosedHint')}</p>
    <h2>${text('alreadyPaidQuestion')}</h2>
    ${submissionForm(id, language)}`;
  return { title: text('linkClosed'), body, language };
}

export function submissionForm(id: string, language: Language, txHash = ''): Html {
  return html`<form method="post" action="${language.href(`/l/${encodeURIComponent(id)}`)}">
    <label for="txHash">${language.text('transactionHashField')}</label>
    <input
      id="txHash"
      name="txHash"
      value="${txHash}"
      required
      dir="ltr"
      maxlength="128"
      autocomplete="off"
      spellcheck="false"
    />
    <button>${language.text('submitTransaction')}</button>
  </form>`;
}

/** The amount of a link as text: a price, a fixed amount, a minimum, or any amount. */
export function linkAmount(link: PublicPayLink, language: Language): string {
  const { openAmount, amount, price, minAmount, decimals, token } = link;
  const { text } = language;
  if (price) return language.money(price);
  const formatted = (atomic: bigint) => `${language.amount(formatUnits(atomic, decimals))} ${token}`;
  if (!openAmount) return formatted(BigInt(amount));
  const least = BigInt(minAmount ?? '1');
  return least === 1n ? text('anyAmount', { token }) : text('amountOrMore', { amount: formatted(least) });
}

/** The chain; with a price also what it costs in the token now. */
function valueOf({ price, amount, decimals, token }: PublicPayLink, chain: string, language: Language): Html {
  if (!price) return language.rich('onChain', { chain });
  const value = ltr(`${language.amount(formatUnits(BigInt(amount), decimals))} ${token}`);
  return language.rich('aboutValueOnChain', { value, chain });
}

function factsOf(link: PublicPayLink, chain: Chain | undefined, language: Language): Html {
  const { text } = language;
  const { receiveAddress, storeName, tokenAddress, token, expiresAt, reference } = link;
  const code = (value: string) => html`<code dir="ltr">${value}</code>`;
  return html`<dl>
    ${fact(text('network'), html`<bdi>${chain?.name ?? link.network}</bdi>`)}
    ${fact(text('payTo'), html`${shopName(storeName)}${code(receiveAddress)}`)}
    ${tokenAddress !== null && fact(text('contractOf', { token }), code(tokenAddress))}
    ${expiresAt !== null && fact(text('untilTime'), moment(expiresAt, language))}
    ${reference !== null && fact(text('referenceHint'), code(reference))}
  </dl>`;
}

/** A link that opens a wallet with the transfer; null on chains without such links. */
export function walletUri(link: PublicPayLink, chain: Chain | undefined): string | null {
  const { receiveAddress: address, tokenAddress, decimals, openAmount, amount, reference } = link;
  const amountAtomic = openAmount ? null : BigInt(amount);
  const token = { address: tokenAddress, decimals };
  return chain ? paymentUri({ chain, token, address, amountAtomic, memo: null, reference }) : null;
}
