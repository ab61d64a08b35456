import type { PublicPayLink } from '@tollbridge/contracts';
import { findChain, paymentUri, type Chain } from '@tollbridge/chains';
import { formatUnits } from '@tollbridge/money';
import { html, type Html } from './html';
import type { Page } from './layout';
import { fitsQr, qrSvg } from './qr';
import { cancelLink } from './return-link';
import { shopName } from './shop-name';
import { fact, logo, moment } from './summary';
import type { Language } from './texts/language';

/** The payment instructions of a PayLink, and a form for the transaction. */
export async function linkPage(link: PublicPayLink, language: Language): Promise<Page> {
  const { text } = language;
  const chain = findChain(link.network);
  const uri = walletUri(link, chain);
  const scanned = uri ?? link.receiveAddress;
  const amount = linkAmount(link, language);
  const body = html`${link.storeLogo !== null && html`<p class="shop">${logo(link.storeLogo)}</p>`}
    <h1><bdi>${amount}</bdi></h1>
    <p class="description"><bdi>${link.name}</bdi></p>
    ${link.description !== '' && html`<p><bdi>${link.description}</bdi></p>`}
    ${factsOf(link, chain, language)}
    ${!link.receiverVerified && html`<div class="notice wait">${text('unprovenReceiver')}</div>`}
    ${fitsQr(scanned) && (await qrSvg(scanned, text('pay', { amount })))}
    ${uri !== null && html`<p><a class="button" href="${uri}">${text('openInWallet')}</a></p>`}
    <h2>${text('paidQuestion')}</h2>
    <p class="soft">${text('submitHint')}</p>
    ${submissionForm(link.id, language)} ${cancelLink(link.cancelUrl, link.storeName, language)}`;
  const title = text('linkTitle', { name: link.name, amount });
  return { title, body, language, color: link.storeColor };
}

/** The same for a link that does not exist. */
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

/** What a link asks for: an amount, a minimum, or any amount. */
export function linkAmount(link: PublicPayLink, { text }: Language): string {
  const { openAmount, amount, minAmount, decimals, token } = link;
  const formatted = (atomic: bigint) => `${formatUnits(atomic, decimals)} ${token}`;
  if (!openAmount) return formatted(BigInt(amount));
  const least = BigInt(minAmount ?? '1');
  return least === 1n ? text('anyAmount', { token }) : text('amountOrMore', { amount: formatted(least) });
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

/** A link that opens a wallet with the transfer; null on chains without one. */
export function walletUri(link: PublicPayLink, chain: Chain | undefined): string | null {
  const { receiveAddress: address, tokenAddress, decimals, openAmount, amount, reference } = link;
  const amountAtomic = openAmount ? null : BigInt(amount);
  const token = { address: tokenAddress, decimals };
  return chain ? paymentUri({ chain, token, address, amountAtomic, memo: null, reference }) : null;
}
