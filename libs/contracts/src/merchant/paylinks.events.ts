import { events } from '@tollbridge/rpc';
import { Amount, Decimal, Flag, Integer, Text, Timestamp, Unsigned } from '../decorators';
import { payerExample, TxHash, walletExample } from '../pay-orders/fields';
import { Id } from '../shared-fields';

/** A payment of a PayLink, with the number of counted payments after this change. */
export class PayLinkPaymentChanged {
  @Id('Id of the payment') payment_id: string;
  @Id('Id of the PayLink') paylink_id: string;
  @Text('Wallet that created the PayLink', { example: walletExample })
  wallet_address: string;
  @Text('Name of the PayLink', { example: 'Espresso' }) name: string;
  @TxHash('Transaction hash') tx_hash: string;
  @Amount('Paid amount, smallest unit', { example: '3500000' }) amount: string;
  @Text('Symbol of the token', { example: 'USDC' }) token: string;
  @Text('CAIP-2 identifier of the network', { example: 'eip155:8453' }) network: string;
  @Text('Address of the payer; null when it could not be read', { nullable: true, example: payerExample })
  payer: string | null;
  @Decimal('Value in US dollars when counted; null without a price', { nullable: true, example: '3.50' })
  value_usd: string | null;
  @Flag('Whether Tollbridge verified the payment on the chain') verified: boolean;
  @Flag('Whether the merchant confirmed the payment; absent in events of earlier versions', {
    optional: true,
    example: false,
  })
  confirmed?: boolean;
  @Id(
    'Order of a payment by the checkout; null for a reported transaction, absent in events of earlier versions',
    { nullable: true, optional: true },
  )
  order_id?: string | null;
  @Unsigned('Payments of the PayLink that are currently counted', { example: 3 }) payment_count: number;
  @Integer('Version of the payment: increases with each change', { example: 2 }) version: number;
  @Timestamp('Time of the change', { example: '2026-11-20T12:30:00.000Z' }) updated_at: string;
}

const of = (summary: string) => ({ version: 1, summary, data: PayLinkPaymentChanged });

export const paylinkEvents = events('merchant', {
  'paylink-paid': of('A payment of a PayLink was counted'),
  'paylink-payment-valued': of(
    'A counted payment without a price got one; `updated_at` stays the time of the count',
  ),
  'paylink-payment-reorged': of(
    'A payment is no longer counted: the chain dropped its block, its transaction settled an order, or it pays a PayLink of a merchant who has proven the receiver',
  ),
});
