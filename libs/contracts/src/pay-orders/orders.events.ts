import { events, Flag, Nested, OneOf, Text, Timestamp, Uuid } from '@tollbridge/rpc';
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
import { OrderException, orderStatuses, type OrderStatus } from './orders.api';
import { payMethods, type PayMethod } from './quotes.api';

/** State of the order after the change. */
export class OrderChanged {
  @Uuid({ description: 'Id of the order', example: '0198f3a2-7c5e-7d41-9a55-3f0e2c1b4a6d' })
  order_id: string;
  @OneOf(orderStatuses, { description: 'Status after the change', example: 'settled' })
  status: OrderStatus;
  @OneOf(payMethods, { description: 'Payment method', example: 'Direct' })
  method: PayMethod;
  @Text({ description: "The caller's own name for the merchant", example: 'demo-merchant' })
  merchant_id: string;
  @EventAddress({
    description: 'Receiving address of the merchant',
    example: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  })
  merchant_address: string;
  @EventAddress({
    description: 'Address of the payer',
    example: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
  })
  payer_address: string;
  @EventChain({ description: 'Chain that the payer pays on', example: 'eip155:8453' })
  pay_blockchain: string;
  @EventToken({ description: 'Token that the payer pays with', example: 'USDC' })
  pay_token: string;
  @EventChain({ description: 'Chain that the merchant is paid on', example: 'eip155:8453' })
  settle_chain: string;
  @EventToken({ description: 'Token that the merchant is paid in', example: 'USDC' })
  settle_token: string;
  @EventAmount({ description: 'Amount owed to the merchant, smallest unit', example: '1000000' })
  merchant_amount: string;
  @EventAmount({ description: 'Fee amount, smallest unit', allowZero: true, example: '5000' })
  fee_amount: string;
  @EventTxHash({ description: 'Transaction of the payer', nullable: true, example: txExample })
  pay_tx: string | null;
  @EventTxHash({ description: 'Transaction that paid the merchant', nullable: true, example: txExample })
  settle_tx: string | null;
  @EventAmount({ description: 'Amount that the merchant received', nullable: true, example: '1000000' })
  settled_amount: string | null;
  @EventAmount({
    description:
      'Refunded part of the deposit, in the smallest unit of the pay token; absent in older events',
    nullable: true,
    optional: true,
    example: null,
  })
  refunded_amount?: string | null;
  @EventAddress({
    description:
      'Payer of a direct payment, read on the chain; null before the payment and for cross-chain payments, absent in older events',
    nullable: true,
    optional: true,
    example: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
  })
  paid_by?: string | null;
  @Flag({
    description:
      'True when the chain shows the payment, or the route provider has the deposit; false while a client only submitted a hash. Absent in events published before the field existed',
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
      'Total forwarded from the refund account to the sender of the deposit, smallest unit of the pay token; null before',
    nullable: true,
    optional: true,
    example: null,
  })
  forwarded_amount?: string | null;
  @EventTxHash({
    description: 'Latest transaction that forwarded a refund; null before',
    nullable: true,
    optional: true,
    example: null,
  })
  forwarded_tx?: string | null;
  @Text({ description: 'Why the order failed', nullable: true, maxLength: 1000, example: null })
  failure_reason: string | null;
  @EventTxHash({
    description: 'Newest transaction that a client reported; null without one, absent in older events',
    nullable: true,
    optional: true,
    example: null,
  })
  last_report_tx?: string | null;
  @Text({
    description: 'Why the reported transaction does not pay the order; null while that is unknown',
    nullable: true,
    optional: true,
    maxLength: 1000,
    example: null,
  })
  last_report_reason?: string | null;
  @Nested(() => OrderException, {
    description: 'Only in `order-exception`: the money that moved',
    nullable: true,
    optional: true,
    example: null,
  })
  exception?: OrderException | null;
  @Flag({ description: 'Whether the payment arrived after the order failed or expired', example: false })
  late: boolean;
  @EventAddress({
    description: 'Wallet that created the order with an API key or session; null without either',
    nullable: true,
    example: null,
  })
  created_by: string | null;
  @EventUsd({
    description:
      'Dollar value of the merchant amount at the first settlement; null before, and while there is no price',
    nullable: true,
    example: '1.00',
  })
  settled_value_usd: string | null;
  @EventVersion({ description: 'Version of the order: increases with each change', example: 3 })
  version: number;
  @Timestamp({ description: 'Time of the change', example: '2026-11-20T12:00:07.000Z' })
  updated_at: string;
}

const of = (summary: string) => ({ version: 1, summary, data: OrderChanged });

export const orderEvents = events('pay-orders', {
  'order-created': of('An order waits for its payment'),
  'order-settling': of(
    'A payment was submitted (`payment_seen` false), or the chain shows it and it waits for confirmations (true). Published again when `payment_seen` changes',
  ),
  'order-settled': of('The merchant was paid, with the confirmations that the chain requires'),
  'order-valued': of('A settled order without a price got one; `updated_at` stays the settlement time'),
  'order-refunded': of(
    'A refund was forwarded from the refund account to the sender of the deposit; status and `updated_at` of the order do not change',
  ),
  'order-reopened': of(
    'The submitted transaction does not pay the order (`last_report_reason`): the order waits for its payment again',
  ),
  'order-failed': of('The payment failed: the deposit was sent back, or less than the order was delivered'),
  'order-exception': of(
    'Money of the order moved in another way than its status shows (`exception`); status and `updated_at` do not change',
  ),
  'order-expired': of('No payment arrived in time'),
  'order-reorged': of('The chain dropped the block of a settled payment; the order is settling again'),
});

export type OrderEventType = keyof typeof orderEvents;
