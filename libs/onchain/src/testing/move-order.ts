import type { PaymentOrder } from '../payment-order';

/** Returns a Move expression that builds the order as `scene::Terms` of the tests. */
export function moveTerms(order: PaymentOrder): string {
  const hex = (text: string): string => `x"${Buffer.from(text, 'utf8').toString('hex')}"`;
  return [
    `scene::order().with_order_id(x"${order.order_id.slice(2)}")`,
    `.with_tokens(${hex(order.token_in)}, ${hex(order.token_out)})`,
    `.with_amounts(${order.amount_in}, ${order.merchant_amount}, ${order.fee_amount})`,
    `.with_receivers(@${order.merchant}, @${order.fee_receiver})`,
    `.with_deadline(${order.deadline})`,
  ].join('');
}
