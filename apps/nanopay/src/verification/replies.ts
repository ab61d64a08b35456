import type { SettleReply, NanoVerifyReply } from '@tollbridge/contracts';
import {
  confirmationIdOf,
  receiptOf,
  rejectionMessage,
  type Rejection,
  type RejectedOutcome,
  type SettledOutcome,
} from '@tollbridge/nanopay-protocol';

/** Rejected by the payment ledger service, or before the call to it. */
type Rejected = Pick<RejectedOutcome, 'reason'> &
  Partial<Pick<RejectedOutcome, 'approvalId' | 'retryAfterS'>>;

const toRejected = (rejected: Rejected | Rejection): Rejected =>
  typeof rejected === 'string' ? { reason: rejected } : rejected;

const extraOf = ({ approvalId, retryAfterS = 0 }: Rejected): Record<string, unknown> => ({
  ...(approvalId && { approvalId: approvalId.toString('hex') }),
  ...(retryAfterS > 0 && { retryAfterSeconds: retryAfterS }),
});

function outcomeFields(outcome: SettledOutcome): Record<string, unknown> {
  const { status, digest, seq } = outcome;
  const confirmationId = confirmationIdOf(digest);
  if (status !== 'captured') return { confirmationId, status };
  return { confirmationId, status, seq: seq.toString(), receipt: receiptOf(outcome) };
}

export function notValid(rejection: Rejected | Rejection, payer?: string): NanoVerifyReply {
  const rejected = toRejected(rejection);
  const { reason } = rejected;
  return {
    isValid: false,
    success: false,
    invalidReason: reason,
    error: reason,
    invalidMessage: rejectionMessage(reason),
    extra: extraOf(rejected),
    ...(payer !== undefined && { payer }),
  };
}

export function valid(outcome: SettledOutcome, payer: string): NanoVerifyReply {
  return {
    isValid: true,
    success: true,
    payer,
    confirmationId: confirmationIdOf(outcome.digest),
    amount: outcome.amountAtomic.toString(),
    extra: outcomeFields(outcome),
  };
}

export function notSettled(rejection: Rejected | Rejection, network: string, payer?: string): SettleReply {
  const rejected = toRejected(rejection);
  const { reason } = rejected;
  return {
    success: false,
    transaction: '',
    network,
    errorReason: reason,
    errorMessage: rejectionMessage(reason),
    ...(payer !== undefined && { payer }),
    extra: extraOf(rejected),
  };
}

export function settled(outcome: SettledOutcome, network: string, payer: string): SettleReply {
  const isCharged = outcome.status === 'captured';
  const amount = isCharged ? outcome.amountAtomic.toString() : '0';
  return {
    success: true,
    transaction: isCharged ? confirmationIdOf(outcome.digest) : '',
    network,
    payer,
    amount,
    extra: { ...outcomeFields(outcome), chargedAmount: amount },
  };
}
