// How a payout is sent in batches, and what became of it. Pure.
import type { PayoutState, RecipientStatus } from '@tollbridge/contracts';
import type { PayoutLine, PayoutPlan } from '../payout';

export type BatchStatus = 'waiting' | 'ready' | 'sending' | 'paid' | 'failed';

/** Some recipients of a payout, one after the other, that one transaction pays. */
export interface Batch {
  index: number;
  /** Place of its first recipient in the list. */
  firstPlace: number;
  count: number;
  totalAtomic: bigint;
  feeAtomic: bigint;
  status: BatchStatus;
  signature: string | null;
  reason: string | null;
  txHash: string | null;
  /** Places in the list of those that the token refused. */
  refusedPlaces: readonly number[];
  /** What came of it; null until it is paid. */
  paidAtomic: bigint | null;
  feePaidAtomic: bigint | null;
}

/** What a payout has that is for the chain. */
export interface Sending {
  state: PayoutState;
  tokenAddress: string;
  contract: string;
  /** Decimal dollars of amounts and fee together; null without a price. */
  valueUsd: string | null;
  /** Unix seconds until which the chain takes the signatures. */
  deadline: number;
  approveUntilMs: number;
  batches: readonly Batch[];
}

// A new holder of USDC takes some 45,000 gas: seven million, and twice as much leaves room below the 2^24 that EIP-7825
// allows a transaction.
export const maxBatchRecipients = 150;
// After the last moment of approval, so that what is approved then can still be sent.
const sendWithinSeconds = 3_600;

/** The batches of a plan; their fees come to its fee. */
export function batchesOf({ lines, totalAtomic, feeAtomic }: PayoutPlan): Batch[] {
  const batches: Batch[] = [];
  let [totalSoFar, feeSoFar] = [0n, 0n];
  for (let firstPlace = 0; firstPlace < lines.length; firstPlace += maxBatchRecipients) {
    const own = lines.slice(firstPlace, firstPlace + maxBatchRecipients);
    const total = own.reduce((sum, { amountAtomic }) => sum + amountAtomic, 0n);
    totalSoFar += total;
    const feeUpTo = (feeAtomic * totalSoFar) / totalAtomic;
    batches.push({
      index: batches.length,
      firstPlace,
      count: own.length,
      totalAtomic: total,
      feeAtomic: feeUpTo - feeSoFar,
      status: 'waiting',
      signature: null,
      reason: null,
      txHash: null,
      refusedPlaces: [],
      paidAtomic: null,
      feePaidAtomic: null,
    });
    feeSoFar = feeUpTo;
  }
  return batches;
}

export const linesOf = (
  plan: Pick<PayoutPlan, 'lines'>,
  { firstPlace, count }: Pick<Batch, 'firstPlace' | 'count'>,
): PayoutLine[] => plan.lines.slice(firstPlace, firstPlace + count);

export const deadlineOf = (approveUntilMs: number): number =>
  Math.floor(approveUntilMs / 1_000) + sendWithinSeconds;

type Ended = Pick<Batch, 'status' | 'count'> & { refusedCount: number };

/** How far a payout is whose batches are so far. */
export function stateAfter(batches: readonly Ended[]): PayoutState {
  if (batches.some(({ status }) => status !== 'paid' && status !== 'failed')) return 'sending';
  const paid = batches.reduce((sum, it) => sum + paidCountOf(it), 0);
  if (paid === 0) return 'failed';
  return paid === batches.reduce((sum, { count }) => sum + count, 0) ? 'completed' : 'partly_paid';
}

export const paidCountOf = ({ status, count, refusedCount }: Ended): number =>
  status === 'paid' ? count - refusedCount : 0;

const statusOfBatch: Readonly<Record<BatchStatus, RecipientStatus>> = {
  waiting: 'pending',
  ready: 'pending',
  sending: 'sending',
  paid: 'paid',
  failed: 'failed',
};

/** How far each recipient of a batch is, by his place in the list. */
export function recipientStatus({ status, refusedPlaces }: Batch, place: number): RecipientStatus {
  return status === 'paid' && refusedPlaces.includes(place) ? 'refused' : statusOfBatch[status];
}
