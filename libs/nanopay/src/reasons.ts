/** Why a payment is refused, as it is told to buyers and sellers. The order is that of the wire: only ever add at the end. */
export const refusals = [
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
] as const;
export type Refusal = (typeof refusals)[number];

const sentences: Record<Refusal, string> = {
  invalid_x402_version: 'Only version 2 of x402 is understood here.',
  unsupported_scheme: 'Pay by the scheme ton-nanopay.',
  invalid_network: 'The payment is for another network.',
  invalid_payload: 'The payment lacks a field, or has one that cannot be read.',
  invalid_payment_requirements: 'These requirements are not of this gateway, or cannot be read.',
  insufficient_funds: 'The balance of the payer is too low: deposit first.',
  invalid_ton_nanopay_signature: 'The signature is not of the key of the payer over this payment.',
  invalid_ton_nanopay_valid_after: 'The payment is not valid yet: compare the clocks.',
  invalid_ton_nanopay_valid_before:
    'The payment is no longer valid, or would be for too long: sign a new one.',
  invalid_ton_nanopay_amount_mismatch: 'The amount is not the price.',
  invalid_ton_nanopay_recipient_mismatch: 'The payment is for another seller, or for the payer himself.',
  invalid_ton_nanopay_asset_mismatch: 'The payment is in another asset.',
  invalid_ton_nanopay_contract_mismatch: 'The payment is for another deployment.',
  invalid_ton_nanopay_resource_mismatch: 'The payment is for another resource.',
  invalid_ton_nanopay_unknown_key:
    'The key of the payer is not known: send publicKey, and for other wallets than W5 stateInit, once.',
  invalid_ton_nanopay_weak_key: 'This public key does not protect its owner: use another wallet.',
  invalid_ton_nanopay_session: 'The session grant does not allow this payment.',
  nonce_required:
    'Without nonce and times nobody can tell a payment from its copy: send them, or the compact token.',
  duplicate_settlement: 'This payment was used before: sign a new one.',
  approval_required: 'The payment is above the limit of the payer, who has to approve it.',
  approval_rejected: 'The payer has rejected this payment.',
  rate_limited: 'The payer has set a limit of payments a minute, which is reached.',
  tee_restarted: 'The enclave has restarted: sign a new payment.',
  invalid_transaction_state: 'The payment is not in a state in which this is possible.',
  payment_cancelled: 'The payer has cancelled this payment, or the grant that it is of.',
  invalid_ton_nanopay_hash_chain: 'The grant does not allow this payment, or the link is not of its chain.',
  payment_paid_out: 'What the seller has earned by it was paid out to him: he has to give it back himself.',
};

/** The same for people. */
export const sentenceOf = (refusal: Refusal): string => sentences[refusal];
