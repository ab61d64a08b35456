import { events } from '@tollbridge/rpc';
import { Amount, Integer, ListOf, Text, Timestamp } from '../decorators';

const seq = { description: 'Sequence number in the receipt chain, from 1', example: '1041' };

/** Sum of an event's payments for one seller. */
export class SellerShare {
  @Text('Seller, raw form of a TON account', { example: `0:${'22'.repeat(32)}` }) to: string;
  @Integer('Number of payments', { min: 1, example: 3 }) payment_count: number;
  @Amount('Sum of the payments, smallest unit', { example: '3000' }) amount: string;
}

/**
 * Nano-payments charged since the previous event, published at most ten times a second. Each payment has a receipt.
 * Payments that were refunded before publication are omitted.
 */
export class PaymentsCommitted {
  @Text('Sequence number of the first receipt', seq) first_seq: string;
  @Text('Sequence number of the last receipt', { ...seq, example: '1043' }) last_seq: string;
  @Text('Head of the receipt chain after the last receipt', { example: 'ab'.repeat(32) }) head: string;
  @Integer('Number of charged payments', { min: 1, example: 3 }) payment_count: number;
  @ListOf(() => SellerShare, 'Sums by seller', { maxItems: 10_000 }) sellers: SellerShare[];
  @Timestamp('Time of the event', { example: '2026-11-22T12:00:07.000Z' }) committed_at: string;
}

export const teeEvents = events('tee', {
  'payments-committed': {
    version: 1,
    summary: 'Nano-payments were charged and recorded in the ledger',
    data: PaymentsCommitted,
  },
});
