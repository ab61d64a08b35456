import { ed25519 } from '@noble/curves/ed25519';
import { blake2b } from '@noble/hashes/blake2b';
import { secp256k1 } from '@noble/curves/secp256k1';
import { p256 } from '@noble/curves/p256';
import { sha256 } from '@noble/hashes/sha2';
import { hexlify } from 'ethers';
import { SuiRejection } from './sui-rejection';
import type { TransactionData } from './transaction-data';

interface Scheme {
  publicKeyBytes: number;
  verify(signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array): boolean;
}

// Signature schemes, indexed by the first byte of a signature.
const schemes: readonly Scheme[] = [
  { publicKeyBytes: 32, verify: (signature, message, key) => ed25519.verify(signature, message, key) },
  {
    publicKeyBytes: 33,
    verify: (signature, message, key) => secp256k1.verify(signature, sha256(message), key),
  },
  { publicKeyBytes: 33, verify: (signature, message, key) => p256.verify(signature, sha256(message), key) },
];
const signatureBytes = 64;
// The intent bytes: scope "transaction data", version 0, app "Sui".
const intent = [0, 0, 0];

/** Requires a signature of the sender, and of the gas owner if it is another account. @throws SuiRejection */
export function verifySignatures(
  { bytes, sender, gas }: TransactionData,
  signatures: readonly string[],
): void {
  const message = blake2b(Uint8Array.from([...intent, ...bytes]), { dkLen: 32 });
  const signers = new Set(signatures.map((signature) => signerOf(signature, message)));
  const wanted = new Set([sender, gas.owner]);
  const isComplete = signers.size === wanted.size && [...wanted].every((it) => signers.has(it));
  if (!isComplete || signatures.length !== signers.size)
    throw new SuiRejection(
      'Invalid user signature: Expect signatures of the sender and of the gas owner only',
    );
}

function signerOf(text: string, message: Uint8Array): string {
  const bytes = Uint8Array.from(Buffer.from(text, 'base64'));
  const scheme = schemes[bytes[0] ?? -1];
  const isWhole = scheme && bytes.length === 1 + signatureBytes + scheme.publicKeyBytes;
  if (!isWhole) throw new SuiRejection('Invalid user signature: the scheme is not supported');
  const [signature, publicKey] = [bytes.subarray(1, 1 + signatureBytes), bytes.subarray(1 + signatureBytes)];
  if (!isValid(scheme, signature, message, publicKey))
    throw new SuiRejection('Invalid user signature: Signature is not valid');
  return hexlify(blake2b(Uint8Array.from([bytes[0]!, ...publicKey]), { dkLen: 32 }));
}

function isValid(scheme: Scheme, signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array): boolean {
  try {
    return scheme.verify(signature, message, publicKey);
  } catch {
    return false;
  }
}
