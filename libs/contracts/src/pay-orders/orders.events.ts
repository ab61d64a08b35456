import { events } from '@tollbridge/rpc';
import { Flag, Nested, OneOf, Text, Timestamp, Uuid } from '../decorators';
import {
  EventAddress,
  EventAmount,
  EventChain,
  EventToken,
  EventTxHash,
  EventUsd,
  EventVersion,
} from '../event-fields';
import { payerExample, txExample, walletExample } from './fields';
import { OrderException, orderStatuses, type OrderStatus } from './orders.api';
import { payMethods, type PayMethod } from './quotes.api';
import { ExchangeRate, Price } from '../price-fields';
import { idExample } from '../shared-fields';

/** State of the order after the change. */
export class OrderChanged {
  @Uuid('Id of the order', { example: idExample }) order_id: string;
  @OneOf(orderStatuses, 'Status after the change', { example: 'settled' }) status: OrderStatus;
  @OneOf(payMethods, 'Payment method') method: PayMethod;
  @Text("The caller's own name for the merchant", { example: 'demo-merchant' }) merchant_id: string;
  @EventAddress('Receiving address of the merchant', { example: walletExample })
  merchant_address: string;
  @EventAddress('Address of the payer', { example: payerExample }) payer_address: string;
  @EventChain('Chain that the payer pays on', { example: 'eip155:8453' }) pay_blockchain: string;
  @EventToken('Token that the payer pays with', { example: 'USDC' }) pay_token: string;
  @EventChain('Chain that the merchant is paid on', { example: 'eip155:8453' }) settle_chain: string;
  @EventToken('Token that the merchant is paid in', { example: 'USDC' }) settle_token: string;
  @EventAmount('Amount owed to the merchant, smallest unit') merchant_amount: string;
  @Nested(() => Price, 'The price of the order; null for an order with an amount of the token', {
    nullable: true,
    optional: true,
    example: null,
  })
  price?: Price | null;
  @Nested(() => ExchangeRate, 'Rate that `merchant_amount` was fixed at; null without a price', {
    nullable: true,
    optional: true,
    example: null,
  })
  rate?: ExchangeRate | null;
  @EventAmount('Fee amount, smallest unit', { allowZero: true, example: '5000' }) fee_amount: string;
  @EventTxHash('Transaction of the payer', { nullable: true, example: txExample }) pay_tx: string | null;
  @EventTxHash('Transaction that paid the merchant', { nullable: true, example: txExample })
  settle_tx: string | null;
  @EventAmount('Amount that the merchant received', { nullable: true, example: '1000000' })
  settled_amount: string | null;
  @EventAmount(
    'Refunded part of the deposit, in the smallest unit of the pay token; absent in older events',
    { nullable: true, optional: true },
  )
  refunded_amount?: string | null;
  @EventAddress(
    'Payer of a direct payment, read on the chain; null before the payment and for cross-chain payments, absent in older events',
    { nullable: true, optional: true, example: payerExample },
  )
  paid_by?: string | null;
  @Flag(
    'True when the chain shows the payment, or the route provider has the deposit; false while a client only submitted a hash. Absent in events published before the field existed',
    { optional: true },
  )
  payment_seen?: boolean;
  @Flag(
    "True when the order has no payer: `payer_address` is an address of the operator's refund account. Absent in events published before the field existed",
    { optional: true, example: false },
  )
  refund_account?: boolean;
  @EventAmount(
    'Total forwarded from the refund account to the sender of the deposit, smallest unit of the pay token; null before',
    { nullable: true, optional: true },
  )
  forwarded_amount?: string | null;
  @EventTxHash('Latest transaction that forwarded a refund; null before', { nullable: true, optional: true })
  forwarded_tx?: string | null;
  @Text('Why the order failed', { nullable: true, maxLength: 1000 }) failure_reason: string | null;
  @EventTxHash('Newest transaction that a client reported; null without one, absent in older events', {
    nullable: true,
    optional: true,
  })
  last_report_tx?: string | null;
  @Text('Why the reported transaction does not pay the order; null while that is unknown', {
    nullable: true,
    optional: true,
    maxLength: 1000,
  })
  last_report_reason?: string | null;
  @Nested(() => OrderException, 'Only in `order-exception`: the money that moved', {
    nullable: true,
    optional: true,
    example: null,
  })
  exception?: OrderException | null;
  @Flag('Whether the payment arrived after the order failed or expired', { example: false }) late: boolean;
  @EventAddress('Wallet that created the order with an API key or session; null without either', {
    nullable: true,
  })
  created_by: string | null;
  @EventUsd(
    'Dollar value of the merchant amount at the first settlement; null before it and without a price',
    { nullable: true, example: '1.00' },
  )
  settled_value_usd: string | null;
  @EventVersion('Version of the order: increases with each change', { example: 3 }) version: number;
  @Timestamp('Time of the change', { example: '2026-11-20T12:00:07.000Z' }) updated_at: string;
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
    'The order has a transfer that its status does not show (`exception`); status and `updated_at` do not change',
  ),
  'order-expired': of('No payment arrived in time'),
  'order-reorged': of('The chain dropped the block of a settled payment; the order is settling again'),
});

export type OrderEventType = keyof typeof orderEvents;
