/**
 * Reasons for rejecting a payment, for buyers and sellers. The index is the number on the wire, so new reasons are only
 * appended.
 */
export const rejections = [
  'invalid_x402_version',
  'unsupported_scheme',
  'invalid_network',
  'invalid_payload',
  'invalid_payment_requirements',
  'insufficient_funds',
  'invalid_ton_nanopay_signature',
  'invalid_ton_nanopay_valid_after',
  'invalid_ton_nanopay_valid_before',
  'invalid_ton_nanopay_amount_mismatch',
  'invalid_ton_nanopay_recipient_mismatch',
  'invalid_ton_nanopay_asset_mismatch',
  'invalid_ton_nanopay_contract_mismatch',
  'invalid_ton_nanopay_resource_mismatch',
  'invalid_ton_nanopay_unknown_key',
  'invalid_ton_nanopay_weak_key',
  'invalid_ton_nanopay_session',
  'nonce_required',
  'duplicate_settlement',
  'approval_required',
  'approval_rejected',
  'rate_limited',
  'tee_restarted',
  'invalid_transaction_state',
  'payment_cancelled',
  'invalid_ton_nanopay_hash_chain',
  'payment_paid_out',
  'invalid_ton_nanopay_channel',
] as const;
export type Rejection = (typeof rejections)[number];

const messages: Record<Rejection, string> = {
  invalid_x402_version: 'The x402 version is not supported. Send version 2.',
  unsupported_scheme:
    'The payment scheme is not supported. Pay with a scheme in accepts; GET /supported lists the schemes and networks of the facilitator.',
  invalid_network:
    'The payment is for another network. Pay on a network in accepts; GET /supported lists the schemes and networks of the facilitator.',
  invalid_payload: 'The payment has a missing or malformed field.',
  invalid_payment_requirements: 'The payment requirements are not of this gateway, or are malformed.',
  insufficient_funds: 'The balance of the payer is too low. Deposit first.',
  invalid_ton_nanopay_signature: 'The signature does not match the payer and this payment. Sign again.',
  invalid_ton_nanopay_valid_after: 'The payment is not valid yet. Check the clock of the signer.',
  invalid_ton_nanopay_valid_before:
    'The payment has expired, or validBefore is too far ahead. Sign a new one.',
  invalid_ton_nanopay_amount_mismatch:
    'The amount of the payment differs from the price. Sign the amount in accepts.',
  invalid_ton_nanopay_recipient_mismatch:
    'The recipient of the payment is not the seller, or is the payer. Sign payTo of accepts.',
  invalid_ton_nanopay_asset_mismatch:
    'The asset of the payment differs from the price. Sign the asset in accepts.',
  invalid_ton_nanopay_contract_mismatch:
    'The payment is for another deployment of the ledger. Sign the contract in accepts.',
  invalid_ton_nanopay_resource_mismatch:
    'The payment is for another resource. Sign the resource of this request.',
  invalid_ton_nanopay_unknown_key:
    'The public key of the payer is unknown. Send publicKey once, and stateInit for wallets other than W5.',
  invalid_ton_nanopay_weak_key: 'The public key is weak. Use another wallet.',
  invalid_ton_nanopay_session: 'The session grant does not allow this payment.',
  nonce_required: 'The payment has no nonce or validity times. Send them, or the compact token.',
  duplicate_settlement: 'The payment was already used. Sign a new one.',
  approval_required: 'The payment is above the limit of the payer. The payer must approve it.',
  approval_rejected: 'The payer has rejected this payment.',
  rate_limited: "The payer's limit of payments per minute is reached. Retry in a minute.",
  tee_restarted: 'The payment ledger has restarted. Sign a new payment.',
  invalid_transaction_state: 'The state of the payment does not allow this.',
  payment_cancelled: 'The payer has cancelled this payment, or its grant.',
  invalid_ton_nanopay_hash_chain:
    'The grant does not allow this payment, or the link is not part of its hash chain.',
  invalid_ton_nanopay_channel:
    'The channel is unknown here or has ended, or the link is not its next one. Open a new channel.',
  payment_paid_out: 'The earnings of this payment were paid out. The seller must refund it directly.',
};

/** Returns a sentence that explains the reason to people. */
export const rejectionMessage = (rejection: Rejection): string => messages[rejection];
