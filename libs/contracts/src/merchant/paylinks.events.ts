import { Amount, Decimal, events, Flag, Integer, Text, Timestamp } from '@tollbridge/rpc';
import { orderIdExample, txExample } from '../pay-orders/fields';

/** A payment of a PayLink, and the PayLink's count after it. */
export class PayLinkPaymentChanged {
  @Text({ description: 'Id of the payment', format: 'uuid', example: orderIdExample })
  payment_id: string;
  @Text({ description: 'Id of the PayLink', format: 'uuid', example: orderIdExample })
  paylink_id: string;
  @Text({
    description: 'Wallet that created the PayLink',
    example: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  })
  wallet_address: string;
  @Text({ description: 'Name of the PayLink', example: 'Espresso' })
  name: string;
  @Text({ description: 'Transaction hash', example: txExample })
  tx_hash: string;
  @Amount({ description: 'Paid amount, smallest unit', example: '3500000' })
  amount: string;
  @Text({ description: 'Symbol of the token', example: 'USDC' })
  token: string;
  @Text({ description: 'CAIP-2 identifier of the network', example: 'eip155:8453' })
  network: string;
  @Text({
    description: 'Address of the payer; null when it could not be read',
    nullable: true,
    example: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
  })
  payer: string | null;
  @Decimal({
    description: 'Value in US dollars when counted; null without a price',
    nullable: true,
    example: '3.50',
  })
  value_usd: string | null;
  @Flag({ description: 'Whether Tollbridge verified the payment on the chain', example: true })
  verified: boolean;
  @Flag({
    description: 'Whether the merchant confirmed the payment; absent in events of earlier versions',
    optional: true,
    example: false,
  })
  confirmed?: boolean;
  @Text({
    description:
      'Order of a payment by the checkout; null for a reported transaction, absent in events of earlier versions',
    format: 'uuid',
    nullable: true,
    optional: true,
    example: null,
  })
  order_id?: string | null;
  @Integer({ description: 'Payments of the PayLink that are currently counted', min: 0, example: 3 })
  payment_count: number;
  @Integer({ description: 'Version of the payment: increases with each change', example: 2 })
  version: number;
  @Timestamp({ description: 'Time of the change', example: '2026-11-20T12:30:00.000Z' })
  updated_at: string;
}

const of = (summary: string) => ({ version: 1, summary, data: PayLinkPaymentChanged });

export const paylinkEvents = events('merchant', {
  'paylink-paid': of('A payment of a PayLink was counted'),
  'paylink-payment-valued': of(
    'A counted payment without a price got one; `updated_at` stays the time at which it was counted',
  ),
  'paylink-payment-reorged': of(
    'A payment is no longer counted: the chain dropped its block, its transaction settled an order, or it pays a PayLink of a merchant who has proven the receiver',
  ),
});
