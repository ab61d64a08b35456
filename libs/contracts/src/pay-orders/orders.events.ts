import { events, Flag, OneOf, Text, Timestamp, Uuid } from '@tollbridge/rpc';
import {
  EventAddress,
  EventAmount,
  EventChain,
  EventToken,
  EventTxHash,
  EventUsd,
  EventVersion,
} from '../event-fields';
import { txExample } from './fields';
import { orderStatuses, type OrderStatus } from './orders.api';
import { payMethods, type PayMethod } from './quotes.api';

/** The order as it stands after the change that the event tells. */
export class OrderChanged {
  @Uuid({ description: 'The order', example: '0198f3a2-7c5e-7d41-9a55-3f0e2c1b4a6d' })
  order_id: string;
  @OneOf(orderStatuses, { description: 'The new state', example: 'settled' })
  status: OrderStatus;
  @OneOf(payMethods, { description: 'How it is paid', example: 'Direct' })
  method: PayMethod;
  @Text({ description: 'Your name for the merchant', example: 'demo-merchant' })
  merchant_id: string;
  @EventAddress({ description: 'Who is paid', example: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' })
  merchant_address: string;
  @EventAddress({ description: 'Who pays', example: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266' })
  payer_address: string;
  @EventChain({ description: 'Chain paid on', example: 'eip155:8453' })
  pay_blockchain: string;
  @EventToken({ description: 'Token paid with', example: 'USDC' })
  pay_token: string;
  @EventChain({ description: 'Chain settled on', example: 'eip155:8453' })
  settle_chain: string;
  @EventToken({ description: 'Token settled in', example: 'USDC' })
  settle_token: string;
  @EventAmount({ description: 'What the merchant is owed, smallest unit', example: '1000000' })
  merchant_amount: string;
  @EventAmount({ description: 'The fee, smallest unit', allowZero: true, example: '5000' })
  fee_amount: string;
  @EventTxHash({ description: 'The paying transaction', nullable: true, example: txExample })
  pay_tx: string | null;
  @EventTxHash({ description: 'The settling transaction', nullable: true, example: txExample })
  settle_tx: string | null;
  @EventAmount({ description: 'What the merchant received', nullable: true, example: '1000000' })
  settled_amount: string | null;
  @EventAmount({
    description:
      'What was sent back of a deposit, in the smallest unit of the pay token; absent in older events',
    nullable: true,
    optional: true,
    example: null,
  })
  refunded_amount?: string | null;
  @EventAddress({
    description:
      'The payer of a direct payment, as the chain shows; null before it and across chains, absent in older events',
    nullable: true,
    optional: true,
    example: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
  })
  paid_by?: string | null;
  @Flag({
    description:
      'True when the chain shows the payment, or the route provider has the deposit; false while a client has only submitted a hash. Absent in events published before the field existed',
    optional: true,
    example: true,
  })
  payment_seen?: boolean;
  @Flag({
    description:
      "True when the order has no payer: `payer_address` is an address of the operator's refund account. Absent in events published before the field existed",
    optional: true,
    example: false,
  })
  refund_account?: boolean;
  @EventAmount({
    description:
      'What was forwarded from the refund account to the sender of the deposit, in total, smallest unit of the pay token; null before',
    nullable: true,
    optional: true,
    example: null,
  })
  forwarded_amount?: string | null;
  @EventTxHash({
    description: 'The newest transaction that forwarded a refund; null before',
    nullable: true,
    optional: true,
    example: null,
  })
  forwarded_tx?: string | null;
  @Text({ description: 'Why it failed', nullable: true, maxLength: 1000, example: null })
  failure_reason: string | null;
  @Flag({ description: 'Paid after it had failed or expired', example: false })
  late: boolean;
  @EventAddress({
    description: 'The wallet that made the order, by an API key or a sign-in; null without either',
    nullable: true,
    example: null,
  })
  created_by: string | null;
  @EventUsd({
    description:
      'Dollar value of the merchant amount when the order was first settled; null before, and while there is no price',
    nullable: true,
    example: '1.00',
  })
  settled_value_usd: string | null;
  @EventVersion({ description: 'Counts the changes of this order', example: 3 })
  version: number;
  @Timestamp({ description: 'When it changed', example: '2026-11-20T12:00:07.000Z' })
  updated_at: string;
}

const of = (summary: string) => ({ version: 1, summary, data: OrderChanged });

export const orderEvents = events('pay-orders', {
  'order-created': of('An order waits for its payment'),
  'order-settling': of(
    'A payment was submitted (`payment_seen` false), or the chain shows it and it waits for confirmations (true). Published again when `payment_seen` changes',
  ),
  'order-settled': of('The merchant was paid, with the confirmations that the chain requires'),
  'order-valued': of(
    'A settled order that had no price has one; `updated_at` stays the time at which it was settled',
  ),
  'order-refunded': of(
    'A refund was forwarded from the refund account to the sender of the deposit; state and `updated_at` of the order stay',
  ),
  'order-failed': of('The reported transaction does not pay the order'),
  'order-expired': of('No payment arrived in time'),
  'order-reorged': of('The chain dropped the block of a settled payment; the order is settling again'),
});

export type OrderEventType = keyof typeof orderEvents;
