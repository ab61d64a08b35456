import type { FacilitatedSettleReply } from '@tollbridge/contracts';
import type { Settlement } from './settlement';

const messages: Readonly<Record<string, string>> = {
  settlement_pending: 'The transaction was sent and its outcome is not known yet. Repeat the call.',
  duplicate_settlement: 'The authorization was already settled, or is being settled by another call.',
  payment_identifier_conflict: 'The payment identifier belongs to another payment of this payer.',
  insufficient_funds: 'The balance of the payer does not cover this payment and those in progress.',
  unsupported_scheme: 'This facilitator does not settle this scheme.',
  unsupported_asset: 'This facilitator does not settle this token.',
  unsupported_receiver: 'This facilitator does not settle for this receiver.',
  invalid_network: 'This facilitator does not settle on this network.',
  invalid_payment_requirements:
    'The buyer accepted other requirements, or the receiver would lose the money.',
  invalid_payload: 'The payment payload is malformed.',
  invalid_amount: 'The amount must be at least 1.',
  nothing_to_claim: 'The chain shows these claims already.',
  simulation_failed: 'The transaction would revert.',
  gas_limit_exceeded: 'The transaction needs more gas than this facilitator pays for.',
  authorization_expired: 'The authorization expired before a block contained its transaction.',
  transaction_reverted: 'The transaction reverted.',
  transaction_replaced: 'Another transaction used the nonce of the facilitator.',
  transfer_event_mismatch: 'The token did not move the amount to the receiver.',
};

export const messageOf = (reason: string): string =>
  messages[reason] ?? 'The payment is not valid, or cannot be settled.';

export function notSettled(
  { reason, message }: { reason: string; message?: string },
  network: string,
  payer?: string,
): FacilitatedSettleReply {
  return {
    success: false,
    transaction: '',
    network,
    errorReason: reason,
    errorMessage: message ?? messageOf(reason),
    ...(payer !== undefined && { payer }),
  };
}

/** An `upto` payment over nothing: no transaction is needed. */
export const nothingSettled = (network: string, payer: string): FacilitatedSettleReply => ({
  success: true,
  transaction: '',
  network,
  payer,
  amount: '0',
});

export function answerOf(settlement: Settlement): FacilitatedSettleReply {
  const { state, network, payer, txHash, amountAtomic, reason } = settlement;
  if (state === 'settled' || state === 'final')
    return { success: true, transaction: txHash, network, payer, amount: String(amountAtomic) };
  const why = state === 'sent' ? 'settlement_pending' : (reason ?? 'transaction_reverted');
  return { ...notSettled({ reason: why }, network, payer), transaction: txHash };
}
