import type { OrderReply, PaymentStatusReply } from '@tollbridge/contracts';
import { findChain, findToken } from '@tollbridge/chains';
import { formatUnits } from '@tollbridge/money';
import { html, type Html } from './html';
import type { Page } from './layout';
import { moment } from './summary';

/** The lines of a receipt, for the page and for the PDF. */
export function receiptLines(
  status: PaymentStatusReply,
  order: OrderReply | undefined,
): [name: string, value: string][] {
  const { payment_request: request } = status;
  const lines: [string, string | null][] = [
    ['Amount', `${request.amount_formatted} ${request.currency} on ${request.chain_name}`],
    ['Paid with', order ? paidWith(order) : `${status.from_token} on ${chainName(status.from_chain)}`],
    ['Returned', order ? returned(order) : null],
    ['For', request.description || null],
    ['Merchant', [request.store_name, request.merchant].filter(Boolean).join(', ')],
    ['Received by', request.receive_address === request.merchant ? null : request.receive_address],
    ['Payment', status.pay_tx],
    ['Transfer to the merchant', status.settle_tx === status.pay_tx ? null : status.settle_tx],
    ['Request', request.id],
    ['Receipt number', status.payment_id],
  ];
  return lines.filter((line): line is [string, string] => line[1] !== null && line[1] !== '');
}

/** A completed payment on one sheet of paper. */
export function receiptPage(status: PaymentStatusReply, order: OrderReply | undefined): Page {
  const { payment_request: request } = status;
  const body = html`<p class="shop"><bdi class="name">${request.store_name ?? 'Receipt'}</bdi></p>
    <h1>${request.amount_formatted} ${request.currency}</h1>
    <p class="value">Paid on ${moment(status.updated_at)}</p>
    <dl class="receipt">${receiptLines(status, order).map(line)}</dl>
    <p class="no-print">
      <a href="/checkout/${request.id}/${status.payment_id}/receipt.pdf">Receipt as PDF</a>
    </p>
    <p class="no-print"><a href="/checkout/${request.id}/${status.payment_id}">Back to the payment</a></p>`;
  return { title: `Receipt: ${request.amount_formatted} ${request.currency}`, body };
}

const line = ([name, value]: [string, string]): Html =>
  html`<div>
    <dt>${name}</dt>
    <dd><bdi>${value}</bdi></dd>
  </div>`;

const chainName = (id: string): string => findChain(id)?.name ?? id;

function paidWith(order: OrderReply): string {
  const atomic = order.cross_chain
    ? order.cross_chain.deposited_amount
    : String(BigInt(order.merchant_amount) + BigInt(order.fee_amount));
  return `${formatted(atomic, order)} on ${chainName(order.pay_blockchain)}`;
}

function returned(order: OrderReply): string | null {
  const atomic = order.cross_chain?.refunded_amount ?? null;
  return atomic === null || atomic === '0' ? null : formatted(atomic, order);
}

function formatted(atomic: string | null, { pay_blockchain, pay_token }: OrderReply): string {
  const chain = findChain(pay_blockchain);
  const token = chain && findToken(chain, pay_token);
  if (atomic === null || !token) return pay_token;
  return `${formatUnits(BigInt(atomic), token.decimals)} ${token.symbol}`;
}
