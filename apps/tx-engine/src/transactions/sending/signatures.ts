import { getBytes, keccak256, Signature, Transaction, type TransactionLike } from 'ethers';
import { ecdsaRecover } from 'secp256k1';
import { splitSigned, encodeSigned, unsignedFields, unsignedHash, type RawSignature } from './signed-bytes';
import type { UnsignedTransaction } from '../transaction-set';

export interface SignedTransaction {
  /** Lower-case hex, in the form that is broadcast. */
  raw: string;
  hash: string;
}

export interface SignatureError {
  /** Index of the transaction; null if the number of signatures is wrong. */
  index: number | null;
  reason: string;
}

const signatureLength = 2 + 65 * 2;
const compactLength = 2 + 64 * 2;
// Twice the length of the largest route's call data.
const maxRawLength = 262_144;

/**
 * Verifies that each signature belongs to the built transaction and the signer. Only the canonical encoding (low s, no
 * padding) is accepted, so each signed transaction has exactly one hash.
 */
export function readSignatures(
  given: readonly string[],
  built: readonly UnsignedTransaction[],
  signer: string,
): { signed: SignedTransaction[] } | { problems: SignatureError[] } {
  if (given.length !== built.length) {
    const reason = `${built.length} are needed, one for each built transaction, and ${given.length} were given`;
    return { problems: [{ index: null, reason }] };
  }
  const signed: SignedTransaction[] = [];
  const problems: SignatureError[] = [];
  given.forEach((text, index) => {
    const read = readSignature(text, built[index]!, signer);
    if (typeof read === 'string') problems.push({ index, reason: read });
    else signed.push(read);
  });
  return problems.length > 0 ? { problems } : { signed };
}

/** Returns the signed transaction, or the reason of the rejection. */
function readSignature(text: string, built: UnsignedTransaction, signer: string): SignedTransaction | string {
  if (!/^0x(?:[0-9a-fA-F]{2})+$/.test(text)) return 'must be hex: 0x and an even number of digits';
  if (text.length === compactLength) return 'the compact form of 64 bytes is not accepted; send all 65 bytes';
  if (text.length < signatureLength) return 'is too short for a signature of 65 bytes';
  if (text.length > maxRawLength) return 'is too long for a signed transaction';
  const asBuilt = readAsBuilt(text, built, signer);
  if (asBuilt) return asBuilt;
  const hex = text.toLowerCase();
  return hex.length === signatureLength ? fromSignature(hex, built, signer) : fromRaw(hex, built, signer);
}

/**
 * Fast path: compares bytes with the built transaction. Parsing and re-encoding would take two thirds of a call (bench
 * row "execute a swap, not sent"). The slow path below determines the reason of a rejection.
 */
function readAsBuilt(
  text: string,
  built: UnsignedTransaction,
  signer: string,
): SignedTransaction | undefined {
  const fields = unsignedFields(built);
  if (!fields) return undefined;
  const bytes = Buffer.from(text.slice(2), 'hex');
  const isWhole = text.length !== signatureLength;
  const signature = isWhole ? splitSigned(bytes, fields) : signatureOf(bytes);
  if (!signature || isHigh(signature.s)) return undefined;
  if (recoverFrom(signature, unsignedHash(fields)) !== signer.toLowerCase()) return undefined;
  const raw = encodeSigned(fields, signature);
  // Only the canonical encoding of numbers is accepted.
  if (isWhole && !raw.equals(bytes)) return undefined;
  return { raw: `0x${raw.toString('hex')}`, hash: keccak256(raw) };
}

/** Splits 65 bytes into r, s, and the parity or v. */
function signatureOf(bytes: Buffer): RawSignature | undefined {
  const v = bytes[64]!;
  const parity = v < 27 ? v : v - 27;
  if (parity !== 0 && parity !== 1) return undefined;
  return { parity, r: bytes.subarray(0, 32), s: bytes.subarray(32, 64) };
}

function fromSignature(hex: string, built: UnsignedTransaction, signer: string): SignedTransaction | string {
  const v = Number.parseInt(hex.slice(-2), 16);
  if (v !== 27 && v !== 28 && v !== 0 && v !== 1) return 'must end in 1b or 1c';
  const transaction = Transaction.from(unsigned(built));
  const [r, s] = [hex.slice(0, 66), `0x${hex.slice(66, 130)}`];
  try {
    transaction.signature = Signature.from({ r, s, v: v < 27 ? v + 27 : v });
  } catch {
    return 'is not a valid signature';
  }
  return signedBy(transaction, signer);
}

function fromRaw(hex: string, built: UnsignedTransaction, signer: string): SignedTransaction | string {
  let transaction: Transaction;
  try {
    transaction = Transaction.from(hex);
  } catch {
    return 'is neither a signature of 65 bytes nor a signed transaction';
  }
  if (transaction.signature === null) return 'the transaction is not signed';
  const wrong = differences(transaction, built);
  if (wrong.length > 0) return `differs from what was built in ${wrong.join(', ')}`;
  const signed = signedBy(transaction, signer);
  // Only the encoding of ethers is accepted, so a transaction has one encoding.
  if (typeof signed !== 'string' && signed.raw !== hex) return 'is not in the canonical encoding';
  return signed;
}

// Half of the curve order. Chains reject a higher s, because it makes signatures malleable (EIP-2).
const highestS = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n;

const isHigh = (s: Buffer): boolean => BigInt(`0x${s.toString('hex')}`) > highestS;

function signedBy(transaction: Transaction, signer: string): SignedTransaction | string {
  // The getter `s` throws for a high value.
  if (BigInt(transaction.signature!._s) > highestS) return 'has a high s; only low s is accepted';
  const from = recover(transaction);
  if (from === undefined) return 'is not a valid signature';
  if (from !== signer.toLowerCase()) return 'is not signed by userAddress';
  return { raw: transaction.serialized, hash: transaction.hash! };
}

function recover({ signature, unsignedHash: hash }: Transaction): string | undefined {
  const { r, s, yParity: parity } = signature!;
  return recoverFrom({ parity, r: getBytes(r), s: getBytes(s) }, getBytes(hash));
}

/**
 * Returns the lower-case address. libsecp256k1 is 40 times faster than ethers (bench row "execute a swap, not sent").
 */
function recoverFrom(
  { parity, r, s }: { parity: 0 | 1; r: Uint8Array; s: Uint8Array },
  hash: Uint8Array,
): string | undefined {
  try {
    const publicKey = ecdsaRecover(Buffer.concat([r, s]), parity, hash, false);
    return `0x${keccak256(publicKey.subarray(1)).slice(-40)}`;
  } catch {
    return undefined;
  }
}

function differences(given: Transaction, built: UnsignedTransaction): string[] {
  const { fees } = built;
  const same: Record<string, boolean> = {
    type: given.type === (fees.isLegacy ? 0 : 2),
    chainId: given.chainId === BigInt(built.chainId),
    nonce: given.nonce === built.nonce,
    to: given.to?.toLowerCase() === built.to.toLowerCase(),
    value: given.value === built.valueAtomic,
    data: given.data.toLowerCase() === built.data,
    gas: given.gasLimit === built.gasLimitUnits,
    accessList: (given.accessList ?? []).length === 0,
    ...(fees.isLegacy
      ? { gasPrice: given.gasPrice === fees.maxFeePerGas }
      : {
          maxFeePerGas: given.maxFeePerGas === fees.maxFeePerGas,
          maxPriorityFeePerGas: given.maxPriorityFeePerGas === fees.maxPriorityFeePerGas,
        }),
  };
  return Object.keys(same).filter((name) => !same[name]);
}

/** Converts to the unsigned transaction of ethers. */
export function unsigned({ fees, ...built }: UnsignedTransaction): TransactionLike {
  const { chainId, nonce, to, valueAtomic, data, gasLimitUnits } = built;
  const fields = { chainId, nonce, to, value: valueAtomic, data, gasLimit: gasLimitUnits };
  return fees.isLegacy
    ? { ...fields, type: 0, gasPrice: fees.maxFeePerGas }
    : {
        ...fields,
        type: 2,
        maxFeePerGas: fees.maxFeePerGas,
        maxPriorityFeePerGas: fees.maxPriorityFeePerGas,
      };
}
