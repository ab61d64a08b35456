import type { FacilitatedSettleReply } from '@tollbridge/contracts';
import type { Settlement } from './settlement';
import type { Rejection } from './settlement-rail';

const messages: Readonly<Record<string, string>> = {
  settlement_pending: 'The transaction was sent and its outcome is not known yet. Repeat the call.',
  duplicate_settlement: 'The authorization was already settled, or is being settled by another call.',
  payment_identifier_conflict: 'The payment identifier belongs to another payment of this payer.',
  insufficient_funds: 'The balance of the payer does not cover this payment and those in progress.',
  unsupported_scheme:
    'This facilitator does not settle this scheme. GET /supported lists the schemes and networks.',
  unsupported_asset: 'This facilitator does not settle this token.',
  unsupported_receiver: 'This facilitator does not settle for this receiver.',
  invalid_network:
    'This facilitator does not settle on this network. GET /supported lists the schemes and networks.',
  invalid_payment_requirements: 'The payment requirements are malformed, or the buyer accepted other ones.',
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

const [wrongSignature, noBalance, notYetValid, otherReceiver, otherToken] = [
  'The signature does not match the payer and this payment. Sign again.',
  'The balance of the payer does not cover the amount.',
  'The authorization is not valid yet. Check the clock of the signer.',
  'The receiver in the authorization differs from payTo.',
  'The token in the authorization differs from asset.',
];
const expired = 'The authorization has expired, or expires too soon. Sign a new one.';
const otherAmount = 'The amount in the authorization differs from the amount in the requirements.';
const reverts = 'The transaction would revert.';

/** Messages for the usual reasons of the official packages. */
const officialMessages: Readonly<Record<string, string>> = {
  invalid_exact_evm_signature: wrongSignature,
  invalid_exact_evm_failed_to_parse_signature: 'The signature cannot be parsed. Sign again.',
  invalid_exact_evm_insufficient_balance: noBalance,
  invalid_exact_evm_authorization_value: otherAmount,
  invalid_exact_evm_payload_authorization_value_mismatch: otherAmount,
  invalid_exact_evm_payload_authorization_valid_after: notYetValid,
  invalid_exact_evm_payload_authorization_valid_before: expired,
  invalid_exact_evm_recipient_mismatch: otherReceiver,
  invalid_exact_evm_nonce_already_used: 'The nonce of the authorization was already used. Sign a new one.',
  invalid_exact_evm_network_mismatch: 'The payment is for another network than the requirements.',
  invalid_exact_evm_missing_eip712_domain:
    'The requirements need name and version of the token in extra: its EIP-712 domain.',
  invalid_exact_evm_token_name_mismatch: 'extra.name differs from the name of the token.',
  invalid_exact_evm_token_version_mismatch: 'extra.version differs from the version of the token.',
  invalid_exact_evm_eip3009_not_supported:
    'The token does not support EIP-3009. Pay by Permit2: extra.assetTransferMethod is permit2.',
  invalid_exact_evm_transaction_simulation_failed: reverts,
  invalid_permit2_signature: wrongSignature,
  invalid_permit2_spender: 'The spender of the permit is not the proxy of x402.',
  invalid_permit2_recipient_mismatch: otherReceiver,
  permit2_deadline_expired: expired,
  permit2_not_yet_valid: notYetValid,
  permit2_payment_too_early: notYetValid,
  permit2_amount_mismatch: otherAmount,
  permit2_token_mismatch: otherToken,
  permit2_insufficient_balance: noBalance,
  permit2_invalid_nonce: 'The nonce of the permit was already used. Sign a new one.',
  permit2_allowance_required:
    'The payer has not approved Permit2 for this token. Approve it, or send an EIP-2612 permit.',
  permit2_simulation_failed: reverts,
  upto_amount_exceeds_permitted: 'The amount exceeds the maximum that the payer signed.',
  invalid_upto_evm_payload_settlement_exceeds_amount: 'The amount exceeds the maximum that the payer signed.',
  upto_facilitator_mismatch:
    'The payment is for another facilitator. GET /supported has the facilitatorAddress of this one.',
  invalid_batch_settlement_evm_payload_type: 'This type of payload is verified only, or is unknown.',
  invalid_batch_settlement_evm_insufficient_balance: noBalance,
  invalid_batch_settlement_evm_voucher_signature: wrongSignature,
  invalid_batch_settlement_evm_receive_authorization_signature: wrongSignature,
  invalid_batch_settlement_evm_permit2_invalid_signature: wrongSignature,
  invalid_batch_settlement_evm_payload_authorization_valid_after: notYetValid,
  invalid_batch_settlement_evm_payload_authorization_valid_before: expired,
  invalid_batch_settlement_evm_permit2_deadline_expired: expired,
  invalid_batch_settlement_evm_channel_id_mismatch:
    'The channel of the voucher differs from the channel of channelConfig.',
  invalid_batch_settlement_evm_cumulative_exceeds_balance:
    'The total of the voucher exceeds the balance of the channel. Deposit more.',
  invalid_batch_settlement_evm_deposit_simulation_failed: reverts,
  invalid_batch_settlement_evm_claim_simulation_failed: reverts,
  invalid_batch_settlement_evm_settle_simulation_failed: reverts,
  invalid_batch_settlement_evm_refund_simulation_failed: reverts,
  invalid_exact_svm_payload_amount_mismatch: otherAmount,
  invalid_exact_svm_payload_recipient_mismatch: otherReceiver,
  invalid_exact_svm_payload_mint_mismatch: otherToken,
  invalid_exact_svm_payload_no_transfer_instruction:
    'The transaction has no TransferChecked of the token to the seller.',
  invalid_exact_svm_payload_signature_invalid: wrongSignature,
  invalid_exact_svm_fee_payer_mismatch:
    'The fee payer of the transaction is another account. GET /supported has the feePayer of this facilitator.',
  invalid_exact_svm_transaction_simulation_failed: reverts,
  fee_payer_not_isolated: 'An instruction names the account that pays the fee. Leave it out.',
  fee_limit_exceeded: 'The fee of the transaction exceeds what this facilitator pays.',
};

export const hasOfficialMessage = (reason: string): boolean => Object.hasOwn(officialMessages, reason);

export const messageOf = (reason: string): string =>
  messages[reason] ?? officialMessages[reason] ?? 'The payment is not valid, or cannot be settled.';

export const unsupportedReceiver: Rejection = { reason: 'unsupported_receiver' };

/** @param problem the problem of the address, from `receiverAddress` */
export const invalidReceiver = (problem: string): Rejection => ({
  reason: 'invalid_payment_requirements',
  message: `paymentRequirements.payTo is not valid: ${problem}.`.slice(0, 600),
});

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

/** An `upto` payment of zero, which needs no transaction. */
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
