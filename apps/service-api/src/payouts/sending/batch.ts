// Splits a payout into batches, and derives the payout's state from them. Pure functions.
import type { PayoutState, RecipientStatus } from '@tollbridge/contracts';
import type { PayoutLine, PayoutPlan } from '../payout';
import type { Batch, BatchStatus } from './sending';

export type { Batch, BatchStatus, Sending } from './sending';

// A batch of USDC to new holders uses about 7 million gas, 45,000 each: below half of the limit of EIP-7825.
export const maxBatchRecipients = 150;
// Time for sending after the approval deadline, so that a late approval can still be sent.
const sendWithinSeconds = 3_600;

/** Splits a plan into batches. Their fees add up to the fee of the plan. */
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
      rejectedPlaces: [],
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

type Ended = Pick<Batch, 'status' | 'count'> & { rejectedCount: number };

/** Derives the state of a payout from its batches. */
export function stateAfter(batches: readonly Ended[]): PayoutState {
  if (batches.some(({ status }) => status !== 'paid' && status !== 'failed')) return 'sending';
  const paid = batches.reduce((sum, it) => sum + paidCountOf(it), 0);
  if (paid === 0) return 'failed';
  return paid === batches.reduce((sum, { count }) => sum + count, 0) ? 'completed' : 'partly_paid';
}

export const paidCountOf = ({ status, count, rejectedCount }: Ended): number =>
  status === 'paid' ? count - rejectedCount : 0;

const statusOfBatch: Readonly<Record<BatchStatus, RecipientStatus>> = {
  waiting: 'pending',
  ready: 'pending',
  sending: 'sending',
  paid: 'paid',
  failed: 'failed',
};

/** Returns the status of one recipient of a batch. @param place position in the payout */
export function recipientStatus({ status, rejectedPlaces }: Batch, place: number): RecipientStatus {
  return status === 'paid' && rejectedPlaces.includes(place) ? 'refused' : statusOfBatch[status];
}
