import { Amount, events, Flag, Integer, OneOf, Text, Timestamp } from '@tollbridge/bus';
import { orderStatuses, type OrderStatus } from './orders.api';
import { payMethods, type PayMethod } from './quotes.api';

/** The order as it stands after the change that the event tells. */
export class OrderChanged {
  @Text({ description: 'The order', format: 'uuid' })
  order_id: string;
  @OneOf(orderStatuses, { description: 'The new state' })
  status: OrderStatus;
  @OneOf(payMethods, { description: 'How it is paid' })
  method: PayMethod;
  @Text({ description: 'Your name for the merchant' })
  merchant_id: string;
  @Text({ description: 'Who is paid' })
  merchant_address: string;
  @Text({ description: 'Who pays' })
  payer_address: string;
  @Text({ description: 'Chain paid on' })
  pay_blockchain: string;
  @Text({ description: 'Token paid with' })
  pay_token: string;
  @Text({ description: 'Chain settled on' })
  settle_chain: string;
  @Text({ description: 'Token settled in' })
  settle_token: string;
  @Amount({ description: 'What the merchant is owed, smallest unit' })
  merchant_amount: string;
  @Amount({ description: 'The fee, smallest unit', allowZero: true })
  fee_amount: string;
  @Text({ description: 'The paying transaction', nullable: true })
  pay_tx: string | null;
  @Text({ description: 'The settling transaction', nullable: true })
  settle_tx: string | null;
  @Amount({ description: 'What the merchant received', nullable: true })
  settled_amount: string | null;
  @Text({ description: 'Why it failed', nullable: true })
  failure_reason: string | null;
  @Flag({ description: 'Paid after it had failed or expired' })
  late: boolean;
  @Integer({ description: 'Counts the changes of this order' })
  version: number;
  @Timestamp({ description: 'When it changed' })
  updated_at: string;
}

const of = (summary: string) => ({ version: 1, summary, data: OrderChanged });

export const orderEvents = events('pay-orders', {
  'order-created': of('An order waits for its payment'),
  'order-settling': of('A payment was reported or found and waits for confirmations'),
  'order-settled': of('The merchant was paid, with the confirmations that the chain requires'),
  'order-failed': of('The reported transaction does not pay the order'),
  'order-expired': of('Nobody paid in time'),
  'order-reorged': of('The chain dropped the block of a settled payment; the order is settling again'),
});

export type OrderEventType = keyof typeof orderEvents;
