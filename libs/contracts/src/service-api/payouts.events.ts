import { events } from '@tollbridge/rpc';
import { Integer, OneOf, Timestamp, Uuid } from '../decorators';
import { EventAddress, EventAmount, EventChain, EventToken, EventUsd, EventVersion } from '../event-fields';
import { payoutStates, type PayoutState } from './payouts.api';
import { walletExample } from '../pay-orders/fields';

const uuid = '0198f3a2-7c5e-7d41-9a55-3f0e2c1b4a6d';

/** State of the payout after the change. */
export class PayoutChanged {
  @Uuid('Id of the payout', { example: uuid }) payout_id: string;
  @OneOf(payoutStates, 'Status after the change', { example: 'completed' }) status: PayoutState;
  @EventAddress('Paying wallet', { example: walletExample })
  wallet_address: string;
  @Uuid('API key that submitted the payout; null without one', { nullable: true }) key_id: string | null;
  @EventChain('Chain', { example: 'eip155:8453' }) chain: string;
  @EventToken('Token', { example: 'USDC' }) token: string;
  @EventAmount('Sum for all recipients, smallest unit', { example: '5000000' }) total_amount: string;
  @EventAmount('Fee, smallest unit', { allowZero: true, example: '25000' }) fee_amount: string;
  @Integer('Number of recipients', { min: 1, max: 1_000, example: 5 }) recipient_count: number;
  @Integer('Number of paid recipients', { min: 0, max: 1_000, example: 5 }) paid_count: number;
  @EventUsd('Dollars paid so far, including the fee; null when no price was available', {
    nullable: true,
    example: '5.025',
  })
  paid_usd: string | null;
  @EventVersion('Version of the payout: increases with each change', { example: 3 }) version: number;
  @Timestamp('Time of the change', { example: '2026-11-22T12:00:07.000Z' }) updated_at: string;
}

export const payoutEvents = events('service-api', {
  'payout-updated': {
    version: 1,
    summary: 'A payout waits for approval, was approved, made progress on the chain, or ended',
    data: PayoutChanged,
  },
});
