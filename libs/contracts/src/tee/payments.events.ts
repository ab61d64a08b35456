import { Amount, events, Integer, ListOf, Text, Timestamp } from '@tollbridge/rpc';

const seq = { description: 'Place in the chain of receipts, from 1', example: '1041' };

/** What one seller got by the nano-payments of an event. */
export class SellerShare {
  @Text({ description: 'The seller, a raw account of TON', example: `0:${'22'.repeat(32)}` })
  to: string;
  @Integer({ description: 'How many payments', min: 1, example: 3 })
  payment_count: number;
  @Amount({ description: 'What they come to, smallest unit', example: '3000' })
  amount: string;
}

/**
 * Nano-payments that were charged since the event before this one, at most ten times a second; each has a receipt. One
 * that was given back before it was told of is left out.
 */
export class PaymentsCommitted {
  @Text({ ...seq, description: 'Place of the first receipt in the chain' })
  first_seq: string;
  @Text({ ...seq, description: 'Place of the last', example: '1043' })
  last_seq: string;
  @Text({ description: 'Head of the chain of receipts after the last', example: 'ab'.repeat(32) })
  head: string;
  @Integer({ description: 'How many payments were charged', min: 1, example: 3 })
  payment_count: number;
  @ListOf(() => SellerShare, { description: 'Who was paid, and how much', maxItems: 10_000 })
  sellers: SellerShare[];
  @Timestamp({ description: 'When', example: '2026-11-22T12:00:07.000Z' })
  committed_at: string;
}

export const teeEvents = events('tee', {
  'payments-committed': {
    version: 1,
    summary: 'Nano-payments were charged, and stand in the ledger',
    data: PaymentsCommitted,
  },
});
