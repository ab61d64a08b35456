import { Amount, Decimal, events, Integer, OneOf, Text, Timestamp } from '@tollbridge/bus';
import { Address, ChainName, TokenSymbol } from '../pay-orders/fields';
import { payoutStates, type PayoutState } from './payouts.api';

const uuid = '0198f3a2-7c5e-7d41-9a55-3f0e2c1b4a6d';

/** A payout as it stands after the change that the event tells. */
export class PayoutChanged {
  @Text({ description: 'The payout', format: 'uuid', example: uuid })
  payout_id: string;
  @OneOf(payoutStates, { description: 'Where it stands now', example: 'completed' })
  status: PayoutState;
  @Address({ description: 'The wallet that pays' })
  wallet_address: string;
  @Text({
    description: 'The key that it was submitted with; null without one',
    nullable: true,
    format: 'uuid',
    example: null,
  })
  key_id: string | null;
  @ChainName({ description: 'Its chain' })
  chain: string;
  @TokenSymbol({ description: 'Its token' })
  token: string;
  @Amount({ description: 'What all recipients get together, smallest unit', example: '5000000' })
  total_amount: string;
  @Amount({ description: 'The fee, smallest unit', allowZero: true, example: '25000' })
  fee_amount: string;
  @Integer({ description: 'How many recipients it has', min: 1, example: 5 })
  recipient_count: number;
  @Integer({ description: 'How many of them were paid', min: 0, example: 5 })
  paid_count: number;
  @Decimal({
    description: 'Dollars that were paid so far, the fee included; null where no price was known',
    nullable: true,
    example: '5.025',
  })
  paid_usd: string | null;
  @Integer({ description: 'Counts the changes of this payout', example: 3, min: 1 })
  version: number;
  @Timestamp({ description: 'When it changed', example: '2026-11-22T12:00:07.000Z' })
  updated_at: string;
}

export const payoutEvents = events('service-api', {
  'payout-updated': {
    version: 1,
    summary: 'A payout waits for approval, was approved, got further on the chain, or is over',
    data: PayoutChanged,
  },
});
