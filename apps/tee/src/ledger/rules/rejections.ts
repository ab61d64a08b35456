import type { Rejection } from '@tollbridge/nanopay-protocol';
import type { CheckedPayment, RejectedDecision } from './payment';

export const reject = (reason: Rejection, retryAfterS = 0): RejectedDecision => ({
  kind: 'rejected',
  reason,
  retryAfterS,
});

export const needsApproval = (isRejected: boolean, approvalId: Buffer | undefined): RejectedDecision => ({
  ...reject(isRejected ? 'approval_rejected' : 'approval_required'),
  ...(approvalId && { approvalId }),
});

/** Returns the reason for rejecting a copy of a payment. */
export const copyRejection = ({ chargeAtomic }: Pick<CheckedPayment, 'chargeAtomic'>): Rejection =>
  chargeAtomic === 0n ? 'invalid_transaction_state' : 'duplicate_settlement';
