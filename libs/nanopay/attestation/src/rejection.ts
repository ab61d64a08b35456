/**
 * Reasons for the rejection of an attestation. The codes are stable, because sellers branch on them. Messages are for
 * people.
 */
export const attestationRejections = [
  'document_malformed',
  'document_inconsistent',
  'expectation_invalid',
  'mode_unsupported',
  'not_attested',
  'quote_malformed',
  'quote_unsupported',
  'collateral_missing',
  'collateral_malformed',
  'collateral_not_yet_valid',
  'collateral_expired',
  'collateral_outdated',
  'collateral_mismatch',
  'collateral_signature_invalid',
  'certificate_untrusted',
  'certificate_expired',
  'certificate_revoked',
  'revocation_list_invalid',
  'quote_signature_invalid',
  'quote_refused',
  'debug_enabled',
  'module_unknown',
  'tcb_status_refused',
  'measurements_mismatch',
  'event_log_mismatch',
  'event_log_incomplete',
  'event_mismatch',
  'network_mismatch',
  'contract_mismatch',
  'key_epoch_too_old',
  'receipt_key_mismatch',
  'nonce_mismatch',
  'report_data_mismatch',
  'weak_key',
  'document_signature_invalid',
  'not_yet_valid',
  'expired',
] as const;
export type AttestationRejection = (typeof attestationRejections)[number];

export interface Rejection {
  ok: false;
  reason: AttestationRejection;
  message: string;
}

/** Thrown by a check that fails. The public functions return it as a verdict. */
export class Rejected extends Error {
  constructor(
    readonly reason: AttestationRejection,
    message: string,
  ) {
    super(message);
  }
}

/** Converts any error to a rejection, because untrusted input must not pass when a check fails to run. */
export function rejectionOf(error: unknown, otherwise: AttestationRejection): Rejection {
  if (error instanceof Rejected) return { ok: false, reason: error.reason, message: error.message };
  return { ok: false, reason: otherwise, message: error instanceof Error ? error.message : 'unreadable' };
}
