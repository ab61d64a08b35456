/** Reasons for the rejection of a proof. libs/contracts contains their messages. */
export const proofRejections = [
  'nonce_unknown',
  'nonce_used',
  'challenge_expired',
  'challenge_not_yet_valid',
  'wrong_domain',
  'wrong_wallet',
  'wrong_uri',
  'wrong_chain',
  'wrong_nonce',
  'message_changed',
  'wrong_time',
  'wrong_state_init',
  'unknown_wallet_contract',
  'wrong_signature',
  'chain_without_node',
  'other_chain',
] as const;
export type ProofRejection = (typeof proofRejections)[number];

/**
 * `isContract`: a contract on one chain verified the proof. It proves nothing for the same address on another chain.
 */
export type ProofVerdict = { ok: true; isContract: boolean } | { ok: false; reason: ProofRejection };

export const rejected = (reason: ProofRejection): ProofVerdict => ({ ok: false, reason });

export const provenByKey: ProofVerdict = { ok: true, isContract: false };
