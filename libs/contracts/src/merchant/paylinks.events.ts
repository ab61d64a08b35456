import { Amount, Decimal, events, Flag, Integer, Text, Timestamp } from '@tollbridge/rpc';
import { orderIdExample, txExample } from '../pay-orders/fields';

/** A payment of a PayLink, and how many the link has after it. */
export class PayLinkPaymentChanged {
  @Text({ description: 'The payment', format: 'uuid', example: orderIdExample })
  payment_id: string;
  @Text({ description: 'The link', format: 'uuid', example: orderIdExample })
  paylink_id: string;
  @Text({
    description: 'The wallet that made the link',
    example: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  })
  wallet_address: string;
  @Text({ description: 'Name of the link', example: 'Espresso' })
  name: string;
  @Text({ description: 'The transaction', example: txExample })
  tx_hash: string;
  @Amount({ description: 'What was paid, smallest unit', example: '3500000' })
  amount: string;
  @Text({ description: 'Symbol of the token', example: 'USDC' })
  token: string;
  @Text({ description: 'CAIP-2 identifier of the network', example: 'eip155:8453' })
  network: string;
  @Text({
    description: 'Who paid; null when it could not be read',
    nullable: true,
    example: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
  })
  payer: string | null;
  @Decimal({
    description: 'US dollars when it was counted; null while there is no price',
    nullable: true,
    example: '3.50',
  })
  value_usd: string | null;
  @Flag({ description: 'Whether it was read on the chain', example: true })
  verified: boolean;
  @Flag({
    description: 'Whether the merchant confirmed it by hand; absent in events of earlier versions',
    optional: true,
    example: false,
  })
  confirmed?: boolean;
  @Integer({ description: 'Payments of the link that are counted now', min: 0, example: 3 })
  payment_count: number;
  @Integer({ description: 'Counts the changes of this payment', example: 2 })
  version: number;
  @Timestamp({ description: 'When it changed', example: '2026-11-20T12:30:00.000Z' })
  updated_at: string;
}

const of = (summary: string) => ({ version: 1, summary, data: PayLinkPaymentChanged });

export const paylinkEvents = events('merchant', {
  'paylink-paid': of('A payment of a PayLink was counted'),
  'paylink-payment-valued': of(
    'A counted payment that had no price has one; `updated_at` stays the time at which it was counted',
  ),
  'paylink-payment-reorged': of(
    'A counted payment is not counted any more: the chain dropped its block, or its transaction has settled an order, or it pays a PayLink of the merchant who has proven the receiver',
  ),
});
