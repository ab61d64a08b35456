import type { PayoutState } from '@tollbridge/contracts';

export type BatchStatus = 'waiting' | 'ready' | 'sending' | 'paid' | 'failed';

/** Consecutive recipients of a payout that one transaction pays. */
export interface Batch {
  index: number;
  /** Position of the first recipient in the payout. */
  firstPlace: number;
  count: number;
  totalAtomic: bigint;
  feeAtomic: bigint;
  status: BatchStatus;
  signature: string | null;
  reason: string | null;
  txHash: string | null;
  /** Positions in the payout of recipients that the token rejected. */
  rejectedPlaces: readonly number[];
  /** Null until the batch is paid. */
  paidAtomic: bigint | null;
  feePaidAtomic: bigint | null;
}

/** The on-chain part of a payout. */
export interface Sending {
  state: PayoutState;
  tokenAddress: string;
  contract: string;
  /** Decimal dollars of the amounts with the fee; null without a price. */
  valueUsd: string | null;
  /** Unix seconds. The signatures expire then. */
  deadline: number;
  approveUntilMs: number;
  batches: readonly Batch[];
}
