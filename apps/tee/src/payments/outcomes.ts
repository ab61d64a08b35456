import type { Outcome, Rejection, SettledOutcome } from '@tollbridge/nanopay-protocol';
import type { CheckedPayment, Decision, Payment, Refund } from '../ledger/rules/payment';
import type { LedgerWriter } from '../ledger/storage/ledger-writer';

export type Done = Extract<Decision, { kind: 'done' }>;

const noSignature = Buffer.alloc(64);

export const unknown: Outcome = { status: 'unknown' };

export const rejected = (reason: Rejection, retryAfterS = 0, approvalId?: Buffer): Outcome => ({
  status: 'rejected',
  reason,
  retryAfterS,
  approvalId,
});

export const checkedOutcome = ({ digest, chargeAtomic }: CheckedPayment): Outcome => ({
  status: 'checked',
  digest,
  amountAtomic: chargeAtomic,
  seq: 0n,
  unixMs: 0n,
  previousHead: Buffer.alloc(32),
  signature: noSignature,
});

/** Converts a payment to its outcome. A hold has no receipt, so its receipt fields are zeros. */
export function settledOutcome(payment: Payment, refund?: Refund): SettledOutcome {
  const { seq, unixMs, previousHead, receipt } = refund ?? payment;
  const status = payment.state === 'held' ? 'held' : payment.state === 'captured' ? 'captured' : 'voided';
  return {
    status,
    digest: payment.digest,
    amountAtomic: payment.chargedAtomic,
    seq,
    unixMs,
    previousHead,
    signature: receipt?.signature ?? noSignature,
  };
}

/** Returns the outcome of this decision after its commit. Later decisions are not part of the commit. */
export async function committedOutcome({ payment, refund }: Done, writer: LedgerWriter): Promise<Outcome> {
  const outcome = settledOutcome(payment, refund);
  const { receipt } = refund ?? payment;
  await writer.committed();
  if (receipt) outcome.signature = receipt.signature!;
  return outcome;
}
