import type { SettledOutcome } from './frames';
import { isSignature, publicKeyOf } from './keys';
import { confirmationIdOf, receiptDigest } from './signed-bytes';

/** A receipt in JSON: the signed fields, and the values that are needed to verify them. */
export interface Receipt {
  /** Confirmation id of the payment. */
  confirmationId: string;
  type: 'charge' | 'refund';
  /** Digest of the payment, 64 hexadecimal digits. */
  digest: string;
  amount: string;
  seq: string;
  previousHead: string;
  /** Unix milliseconds. */
  timestampMs: string;
  /** Ed25519 signature by the receipt key, 64 bytes in base64. */
  signature: string;
}

export function receiptOf(
  outcome: SettledOutcome,
  confirmationId: string = confirmationIdOf(outcome.digest),
): Receipt {
  return {
    confirmationId,
    type: outcome.status === 'voided' ? 'refund' : 'charge',
    digest: outcome.digest.toString('hex'),
    amount: outcome.amountAtomic.toString(),
    seq: outcome.seq.toString(),
    previousHead: outcome.previousHead.toString('hex'),
    timestampMs: outcome.unixMs.toString(),
    signature: outcome.signature.toString('base64'),
  };
}

/**
 * Verifies a receipt against the receipt key, and against the digest of a payment if given. Never throws, because the
 * receipt is untrusted input.
 */
export function isReceipt(receipt: Receipt, enclaveKey: Uint8Array, digest?: Uint8Array): boolean {
  try {
    return isSigned(receipt, enclaveKey, digest);
  } catch {
    return false;
  }
}

function isSigned(receipt: Receipt, enclaveKey: Uint8Array, digest?: Uint8Array): boolean {
  const payment = Buffer.from(receipt.digest, 'hex');
  const previousHead = Buffer.from(receipt.previousHead, 'hex');
  if (payment.length !== 32 || previousHead.length !== 32) return false;
  if (digest && !payment.equals(digest)) return false;
  if (confirmationIdOf(payment) !== receipt.confirmationId) return false;
  const signed = receiptDigest({
    type: receipt.type,
    digest: payment,
    previousHead,
    amountAtomic: BigInt(receipt.amount),
    seq: BigInt(receipt.seq),
    unixMs: BigInt(receipt.timestampMs),
  });
  return isSignature(signed, Buffer.from(receipt.signature, 'base64'), publicKeyOf(enclaveKey));
}
