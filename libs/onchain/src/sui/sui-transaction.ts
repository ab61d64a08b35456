import { ed25519 } from '@noble/curves/ed25519';
import { blake2b } from '@noble/hashes/blake2b';
import { base58, bech32 } from '@scure/base';
import { getBytes, hexlify } from 'ethers';
import { BcsWriter } from './bcs';
import type { SuiObjectRef } from './sui-calls';

/** The gas payment of a transaction. Its sender always pays. */
export interface SuiGas {
  readonly coins: readonly SuiObjectRef[];
  /** MIST per unit, at least the network's reference price. */
  readonly price: bigint;
  /** The maximum cost of the transaction in MIST. */
  readonly budget: bigint;
}

const ed25519Scheme = 0;
const keyPrefix = 'suiprivkey';
// Every signature of a transaction covers this prefix: scope "transaction data", version 0, app "Sui".
const intent = Uint8Array.from([0, 0, 0]);
const hash = (bytes: Uint8Array): Uint8Array => blake2b(bytes, { dkLen: 32 });

/**
 * Encodes a transaction to sign (BCS of `TransactionData`), without an expiration.
 * @param kind BCS of its `TransactionKind`
 */
export function encodeSuiTransaction(kind: Uint8Array, sender: string, gas: SuiGas): Uint8Array {
  const writer = new BcsWriter().length(0).fixed(kind).address(sender);
  writer.vector(gas.coins, ({ objectId, version, digest }, to) =>
    to.address(objectId).u64(version).byteVector(base58.decode(digest)),
  );
  return writer.address(sender).u64(gas.price).u64(gas.budget).length(0).bytes;
}

/** The digest that identifies the transaction at nodes, in base58. */
export const suiTransactionDigest = (transaction: Uint8Array): string =>
  base58.encode(hash(Uint8Array.from([...Buffer.from('TransactionData::'), ...transaction])));

/** An account with an Ed25519 key. It never exposes the key. */
export class SuiSigner {
  readonly address: string;
  private readonly publicKey: Uint8Array;

  /**
   * @param privateKey the output of `sui keytool export` (`suiprivkey1…`), or 32 bytes in hexadecimal
   * @throws when it is neither
   */
  constructor(privateKey: string) {
    this.secret = () => secretOf(privateKey.trim());
    this.publicKey = ed25519.getPublicKey(this.secret());
    this.address = hexlify(hash(Uint8Array.from([ed25519Scheme, ...this.publicKey])));
  }

  /** Returns the signature in the form that nodes accept: base64 of scheme, signature and public key. */
  sign(transaction: Uint8Array): string {
    const message = hash(Uint8Array.from([...intent, ...transaction]));
    const signature = ed25519.sign(message, this.secret());
    return Buffer.from([ed25519Scheme, ...signature, ...this.publicKey]).toString('base64');
  }

  // A closure, because a field would be printed with the object.
  private readonly secret: () => Uint8Array;
}

function secretOf(text: string): Uint8Array {
  if (/^(0x)?[0-9a-f]{64}$/i.test(text)) return getBytes(text.startsWith('0x') ? text : `0x${text}`);
  try {
    const { prefix, bytes } = bech32.decodeToBytes(text);
    if (prefix === keyPrefix && bytes.length === 33 && bytes[0] === ed25519Scheme) return bytes.subarray(1);
  } catch {
    // The error may quote the key.
  }
  throw new Error('The private key is neither suiprivkey1… of an Ed25519 key nor 32 bytes in hex');
}
