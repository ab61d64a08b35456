import { enclaveDigest, types } from '@tollbridge/nanopay-protocol';
import { createHash } from 'node:crypto';
import type { UnsignedAttestation } from './document';

/**
 * Canonical JSON: keys sorted by their UTF-16 code units, no white space, integers only, undefined members omitted. For
 * such values the result equals RFC 8785.
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).filter(([, it]) => it !== undefined);
    entries.sort(([a], [b]) => (a < b ? -1 : 1));
    return `{${entries.map(([key, it]) => `${JSON.stringify(key)}:${canonicalJson(it)}`).join(',')}}`;
  }
  if (typeof value === 'number' && !Number.isSafeInteger(value)) throw new TypeError('not an integer');
  return JSON.stringify(value);
}

/**
 * The digest of a document that the enclave signs: SHA-256 of `FFFF`, "ton-nanopay/v1", the type byte 0x30 and a second
 * digest. The second one is the SHA-256 of the canonical JSON of everything but the signature.
 */
export function documentDigest(document: UnsignedAttestation & { signature?: string }): Buffer {
  const { signature: _, ...signed } = document;
  return enclaveDigest(types.attestation, createHash('sha256').update(canonicalJson(signed)).digest());
}
