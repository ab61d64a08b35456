import type { PaymentStatusReply, WalletCall } from '@tollbridge/contracts';
import { findChain } from '@tollbridge/chains';
import { scanPart } from './choice-page';
import { copyField } from '../parts/copy-field';
import { html, walletLink, type Html } from '../parts/html';
import { missingDeposit, payStateOf, wholeTokens } from './pay-state';
import { payableOf } from './payable';
import { fitsQr, qrSvg } from '../parts/qr';
import type { PaymentTerms } from './payment-terms';
import { reviewPart } from './review';
import { ltr, type Language } from '../texts/language';
import { walletPanel } from '../wallets/wallet-panel';

/** The payment options; false when there is none. After an attempt without an outcome they are behind a warning. */
export async function payCard(status: PaymentStatusReply, terms: PaymentTerms): Promise<Html | false> {
  const state = payStateOf(status, terms.order);
  if (state !== 'open' && state !== 'again') return false;
  const card = await (status.order.direct ? directCard(status, terms) : depositCard(status, terms));
  return state === 'open' || card === false
    ? card
    : html`<details class="again">
        <summary>${terms.language.text('payAgain')}</summary>
        ${card}
      </details>`;
}

/** The review, the wallets and the button that opens a wallet. */
function walletPart(status: PaymentStatusReply, terms: PaymentTerms): Html {
  const { language, remote = {}, review } = terms;
  const panel = { families: familiesOf(status.from_chain), remote, language };
  const { amount, symbol } = review?.needed ?? {};
  const label = amount === undefined ? '' : `${language.amount(amount)} ${symbol}`;
  return html`${reviewPart(status, terms, language)} ${walletPanel(language.text('payWithWallet'), panel)}
    <button type="button" id="pay-now" hidden>
      ${label === '' ? language.text('payNow') : language.rich('pay', { amount: ltr(label) })}
    </button>`;
}

/** The deposit instructions of a cross-chain payment. */
async function depositCard(status: PaymentStatusReply, terms: PaymentTerms): Promise<Html | false> {
  const { order, instructions } = status;
  const { qr, language, order: read } = terms;
  const deposit = order.cross_chain;
  if (!deposit) return false;
  const { text, rich } = language;
  const { deposit_token: token, deposit_memo: memo } = deposit;
  const missing = missingDeposit(read);
  const rest = read && missing ? wholeTokens(missing.missingAtomic, read) : undefined;
  const value = rest ?? deposit.deposit_amount_formatted;
  const shown = `${language.amount(value)} ${token}`;
  const amount = ltr(shown);
  const uri = rest === undefined ? (instructions?.uri ?? null) : null;
  const chain = nameOf(deposit.deposit_blockchain);
  return html`${payableOf(status, read) && walletPart(status, terms)} ${scanPart(qr, language)}
    <h2>${rich('sendExactly', { amount })}</h2>
    <p>${rich('oneTransfer', { chain })}</p>
    ${copyField(text('toAddress'), deposit.deposit_address, language)}
    ${copyField(text('amount'), value, language, shown)}
    ${
      memo !== null &&
      html`${copyField(text('withMemo'), memo, language)}
        <p class="notice bad">${text('memoWarning')}</p>`
    }
    ${copyField(text('network'), chain, language)} ${openLink(uri, text('openInWallet'))}
    ${await codePart(uri ?? deposit.deposit_address, text('qrOfAddress'), language)}
    <details>
      <summary>${text('payFromExchange')}</summary>
      <p>${rich('exchangeFees', { amount, chain })}</p>
    </details>`;
}

/** The wallet instructions of a direct payment. */
async function directCard(status: PaymentStatusReply, terms: PaymentTerms): Promise<Html | false> {
  const { order, instructions } = status;
  const { qr, language } = terms;
  const { text } = language;
  if (!order.direct) return false;
  const { pay, uri = null, wallet_call_url: source } = instructions ?? {};
  if (!pay && !source) return false;
  return html`${walletPart(status, terms)}
    <div class="no-wallet">
      <h2>${text('payWithWallet')}</h2>
      <p>${text('scanOrOpen')}</p>
    </div>
    ${scanPart(qr, language)} ${!pay && openLink(uri, text('openInWallet'))}
    ${!pay && uri !== null && (await codePart(uri, text('qrOfPayment'), language))}
    <details>
      <summary>${text('payFromExchange')}</summary>
      <p>${text('exchangeImpossible')}</p>
      <p>
        <a href="${language.href(`/checkout/${status.payment_request_id}`)}">${text('chooseAnother')}</a>
      </p>
    </details>
    <details>
      <summary>${text('forDevelopers')}</summary>
      ${pay ? await callsPart(status, language) : sourcePart(source!, order.direct, language)}
    </details>`;
}

type Direct = NonNullable<PaymentStatusReply['order']['direct']>;

/** The contract calls of a direct payment, for wallets that accept raw calls. */
async function callsPart({ order, instructions }: PaymentStatusReply, language: Language): Promise<Html> {
  const { text, rich } = language;
  const direct = order.direct!;
  const { pay, approve, uri, chain_id: chainId } = instructions!;
  const place = {
    chain: html`<bdi>${nameOf(direct.chain)} (${chainId})</bdi>`,
    contract: ltr(direct.contract_address),
  };
  const token = direct.payment_order.token_in;
  return html`<p>${approve ? rich('twoTransactions', place) : rich('oneTransaction', place)}</p>
    <p>${text('callDataHint')}</p>
    ${
      approve &&
      html`<h3>${rich('approveStep', { token })}</h3>
        ${uri !== null && fitsQr(uri) && (await qrSvg(uri, text('qrOfApproval')))}
        ${openLink(uri, text('openApproval'))} ${callFields(approve, language)}`
    }
    <h3>${text(approve ? 'payStep' : 'callStep')}</h3>
    ${callFields(pay!, language)}`;
}

/** The URL of the payment call, for chains where the call depends on the wallet's address. */
function sourcePart(source: string, direct: Direct, { text, rich }: Language): Html {
  const place = { chain: nameOf(direct.chain), contract: ltr(direct.contract_address) };
  return html`<p>${rich('oneTransaction', place)}</p>
    <p>${text('walletCallHint')}</p>
    <code dir="ltr">${`${source}?payer=`}</code>`;
}

function callFields({ to, data, value }: WalletCall, { text }: Language): Html {
  return html`<p class="soft">${text('callTo')}</p>
    <code dir="ltr">${to}</code>
    ${
      value !== '0' &&
      html`<p class="soft">${text('callValue')}</p>
        <code dir="ltr">${value}</code>`
    }
    <p class="soft">${text('callData')}</p>
    <code class="long" tabindex="0" dir="ltr">${data}</code>`;
}

/** Not the first QR code of the page, because many wallets read only the address of such a link. */
async function codePart(content: string, label: string, { text }: Language): Promise<Html | false> {
  if (!fitsQr(content)) return false;
  return html`<details>
    <summary>${text('codeForWallets')}</summary>
    ${await qrSvg(content, label)}
    <p class="soft">${text('compareHint')}</p>
  </details>`;
}

function openLink(uri: string | null, label: string): Html | false {
  const link = walletLink(uri);
  return link !== null && html`<p><a class="button quiet" href="${link}">${label}</a></p>`;
}

const familiesOf = (chain: string): string[] => [findChain(chain)?.family ?? ''];

const nameOf = (chain: string): string => findChain(chain)?.name ?? chain;
