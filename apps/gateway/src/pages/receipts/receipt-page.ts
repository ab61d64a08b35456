import type { ExchangeRate, OrderReply, PaymentStatusReply } from '@tollbridge/contracts';
import { findChain } from '@tollbridge/chains';
import { html } from '../parts/html';
import type { Page } from '../parts/layout';
import { amountInTokens } from '../checkout/pay-state';
import { amountOf, fact, logo, moment, priceOf, rateOf } from '../parts/summary';
import { ltr, type Language } from '../texts/language';

/** The lines of a receipt, for the page and for the PDF. */
export function receiptLines(
  status: PaymentStatusReply,
  order: OrderReply | undefined,
  language: Language,
): [name: string, value: string][] {
  const { payment_request: request } = status;
  const { text } = language;
  const on = (amount: string, chain: string) => text('amountOnChain', { amount, chain });
  const paidWith = order
    ? on(paidAmount(order, language), chainName(order.pay_blockchain))
    : on(status.from_token, chainName(status.from_chain));
  const lines: [string, string | null][] = [
    [text('price'), request.price ? priceOf(request, language) : null],
    [text('amount'), on(amountOf(request, language), request.chain_name)],
    [text('rate'), request.rate ? rateWithTime(request.rate, language) : null],
    [text('paidWith'), paidWith],
    [text('returned'), order ? returned(order, language) : null],
    [text('purpose'), request.description || null],
    [text('merchant'), [request.store_name, request.merchant].filter(Boolean).join(', ')],
    [text('receivedBy'), request.receive_address === request.merchant ? null : request.receive_address],
    [text('payment'), status.pay_tx],
    [text('stepTransfer'), status.settle_tx === status.pay_tx ? null : status.settle_tx],
    [text('request'), request.id],
    [text('receiptNumber'), status.payment_id],
  ];
  return lines.filter((line): line is [string, string] => line[1] !== null && line[1] !== '');
}

/** The receipt page of a completed payment, which fits on one sheet of paper. */
export function receiptPage(
  status: PaymentStatusReply,
  order: OrderReply | undefined,
  language: Language,
): Page {
  const { payment_request: request } = status;
  const { text, rich } = language;
  const payment = `/checkout/${request.id}/${status.payment_id}`;
  const lines = receiptLines(status, order, language);
  const body = html`<p class="shop">
      ${logo(request.store_logo)}<bdi class="name">${request.store_name ?? text('receipt')}</bdi>
    </p>
    <h1>${ltr(priceOf(request, language))}</h1>
    <p class="value">${rich('paidOn', { time: moment(status.updated_at, language) })}</p>
    <dl class="receipt">${lines.map(([name, value]) => fact(name, html`<bdi>${value}</bdi>`))}</dl>
    <p class="no-print"><a href="${language.href(`${payment}/receipt.pdf`)}">${text('receiptAsPdf')}</a></p>
    <p class="no-print"><a href="${language.href(payment)}">${text('backToPayment')}</a></p>`;
  return {
    title: text('receiptOf', { amount: priceOf(request, language) }),
    body,
    language,
    color: request.store_color,
  };
}

/** The rate, with its time and its sources. */
const rateWithTime = (rate: ExchangeRate, language: Language): string =>
  `${rateOf(rate, language)} (${rate.source}, ${language.moment(rate.time)})`;

const chainName = (id: string): string => findChain(id)?.name ?? id;

function paidAmount(order: OrderReply, language: Language): string {
  const atomic = order.cross_chain
    ? order.cross_chain.deposited_amount
    : String(BigInt(order.merchant_amount) + BigInt(order.fee_amount));
  return atomic === null ? order.pay_token : amountInTokens(atomic, order, language);
}

function returned(order: OrderReply, language: Language): string | null {
  const atomic = order.cross_chain?.refunded_amount ?? null;
  return atomic === null || atomic === '0' ? null : amountInTokens(atomic, order, language);
}
