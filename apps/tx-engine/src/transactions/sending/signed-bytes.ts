import { RLP } from '@ethereumjs/rlp';
import { getBytes, keccak256 } from 'ethers';
import type { UnsignedTransaction } from '../transaction-set';

// An EIP-1559 transaction is this byte and an RLP list of its fields. The last three fields are the signature.
const typeByte = Buffer.from([2]);

/** A signature; `r` and `s` have 32 bytes each. */
export interface RawSignature {
  parity: 0 | 1;
  r: Buffer;
  s: Buffer;
}

/** RLP-encodes the fields before the signature; undefined for a legacy transaction. */
export function unsignedFields(built: UnsignedTransaction): Buffer | undefined {
  const { fees, chainId, nonce, to, valueAtomic, data, gasLimitUnits } = built;
  if (fees.isLegacy) return undefined;
  const bytes = [to, data].map((hex) => Buffer.from(hex.slice(2), 'hex'));
  const numbers = [chainId, nonce, fees.maxPriorityFeePerGas, fees.maxFeePerGas, gasLimitUnits];
  const items = [...numbers, bytes[0]!, valueAtomic, bytes[1]!, []];
  return Buffer.concat(items.map((item) => RLP.encode(item)));
}

/** The hash that the signer signs. */
export const unsignedHash = (fields: Buffer): Uint8Array => getBytes(keccak256(ofFields(fields)));

/** Encodes the signed transaction. */
export function encodeSigned(fields: Buffer, { parity, r, s }: RawSignature): Buffer {
  const signature = [parity, withoutZeros(r), withoutZeros(s)].map((item) => RLP.encode(item));
  return ofFields(Buffer.concat([fields, ...signature]));
}

/**
 * Extracts the signature from a signed transaction with exactly the given fields. The encoding of the numbers is not
 * validated: compare the bytes with those of `encodeSigned`.
 */
export function splitSigned(bytes: Buffer, fields: Buffer): RawSignature | undefined {
  // The list header is one byte, which the bytes of a long length follow.
  const first = bytes[1] ?? 0;
  const start = first > 0xf7 ? 2 + (first - 0xf7) : 2;
  const end = start + fields.length;
  if (bytes[0] !== typeByte[0] || !bytes.subarray(start, end).equals(fields)) return undefined;
  const parity = bytes[end] === 0x80 ? 0 : 1;
  const r = itemAt(bytes, end + 1);
  const s = r && itemAt(bytes, r.end);
  return s && { parity, r: padded(r.value), s: padded(s.value) };
}

function ofFields(fields: Buffer): Buffer {
  return Buffer.concat([typeByte, listHeader(fields.length), fields]);
}

function listHeader(length: number): Buffer {
  if (length < 56) return Buffer.from([0xc0 + length]);
  const digits = length.toString(16);
  const bytes = Buffer.from(digits.padStart(digits.length + (digits.length % 2), '0'), 'hex');
  return Buffer.concat([Buffer.from([0xf7 + bytes.length]), bytes]);
}

/** Reads an RLP string of at most 32 bytes; undefined for any other item. */
function itemAt(bytes: Buffer, at: number): { value: Buffer; end: number } | undefined {
  const first = bytes[at];
  if (first === undefined || first > 0xa0) return undefined;
  const [start, length] = first < 0x80 ? [at, 1] : [at + 1, first - 0x80];
  const end = start + length;
  return end > bytes.length ? undefined : { value: bytes.subarray(start, end), end };
}

const padded = (value: Buffer): Buffer => Buffer.concat([Buffer.alloc(32 - value.length), value]);

function withoutZeros(value: Buffer): Buffer {
  const start = value.findIndex((byte) => byte !== 0);
  return start < 0 ? Buffer.alloc(0) : value.subarray(start);
}
