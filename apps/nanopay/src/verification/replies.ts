import type { SettleReply, NanoVerifyReply } from '@tollbridge/contracts';
import {
  confirmationIdOf,
  receiptOf,
  sentenceOf,
  type Refusal,
  type RefusedOutcome,
  type SettledOutcome,
} from '@tollbridge/nanopay-protocol';

/** Refused by the enclave, or before it was asked. */
type Refused = Pick<RefusedOutcome, 'reason'> & Partial<Pick<RefusedOutcome, 'approvalId' | 'retryAfterS'>>;

const refusedBy = (refused: Refused | Refusal): Refused =>
  typeof refused === 'string' ? { reason: refused } : refused;

const extraOf = ({ approvalId, retryAfterS = 0 }: Refused): Record<string, unknown> => ({
  ...(approvalId && { approvalId: approvalId.toString('hex') }),
  ...(retryAfterS > 0 && { retryAfterSeconds: retryAfterS }),
});

function told(outcome: SettledOutcome): Record<string, unknown> {
  const { status, digest, seq } = outcome;
  const confirmationId = confirmationIdOf(digest);
  if (status !== 'captured') return { confirmationId, status };
  return { confirmationId, status, seq: seq.toString(), receipt: receiptOf(outcome) };
}

export function notValid(refusal: Refused | Refusal, payer?: string): NanoVerifyReply {
  const refused = refusedBy(refusal);
  const { reason } = refused;
  return {
    isValid: false,
    success: false,
    invalidReason: reason,
    error: reason,
    invalidMessage: sentenceOf(reason),
    extra: extraOf(refused),
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
    extra: told(outcome),
  };
}

export function notSettled(refusal: Refused | Refusal, network: string, payer?: string): SettleReply {
  const refused = refusedBy(refusal);
  const { reason } = refused;
  return {
    success: false,
    transaction: '',
    network,
    errorReason: reason,
    errorMessage: sentenceOf(reason),
    ...(payer !== undefined && { payer }),
    extra: extraOf(refused),
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
    extra: { ...told(outcome), chargedAmount: amount },
  };
}
