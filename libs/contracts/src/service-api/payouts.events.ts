import { events, Integer, OneOf, Timestamp, Uuid } from '@tollbridge/rpc';
import { EventAddress, EventAmount, EventChain, EventToken, EventUsd, EventVersion } from '../event-fields';
import { payoutStates, type PayoutState } from './payouts.api';

const uuid = '0198f3a2-7c5e-7d41-9a55-3f0e2c1b4a6d';

/** A payout as it stands after the change that the event tells. */
export class PayoutChanged {
  @Uuid({ description: 'The payout', example: uuid })
  payout_id: string;
  @OneOf(payoutStates, { description: 'Where it stands now', example: 'completed' })
  status: PayoutState;
  @EventAddress({
    description: 'The wallet that pays',
    example: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  })
  wallet_address: string;
  @Uuid({
    description: 'The key that it was submitted with; null without one',
    nullable: true,
    example: null,
  })
  key_id: string | null;
  @EventChain({ description: 'Its chain', example: 'eip155:8453' })
  chain: string;
  @EventToken({ description: 'Its token', example: 'USDC' })
  token: string;
  @EventAmount({ description: 'What all recipients get together, smallest unit', example: '5000000' })
  total_amount: string;
  @EventAmount({ description: 'The fee, smallest unit', allowZero: true, example: '25000' })
  fee_amount: string;
  @Integer({ description: 'How many recipients it has', min: 1, max: 1_000, example: 5 })
  recipient_count: number;
  @Integer({ description: 'How many of them were paid', min: 0, max: 1_000, example: 5 })
  paid_count: number;
  @EventUsd({
    description: 'Dollars that were paid so far, the fee included; null where no price was known',
    nullable: true,
    example: '5.025',
  })
  paid_usd: string | null;
  @EventVersion({ description: 'Counts the changes of this payout', example: 3 })
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
