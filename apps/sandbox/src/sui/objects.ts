import { blake2b } from '@noble/hashes/blake2b';
import { base58 } from '@scure/base';
import { BcsReader, BcsWriter, canonicalMoveType } from '@tollbridge/onchain/sui';

export type Owner =
  | { readonly kind: 'address'; readonly id: string }
  | { readonly kind: 'object'; readonly id: string }
  | { readonly kind: 'shared'; readonly version: bigint };

/** An object at one version. Its ids and its type are canonical. */
export interface SuiObject {
  readonly id: string;
  readonly version: bigint;
  /** Base58. */
  readonly digest: string;
  readonly owner: Owner;
  readonly type: string;
  /** BCS. */
  readonly contents: Uint8Array;
  readonly previousTransaction: string;
}

export const suiType = canonicalMoveType('0x2::sui::SUI');
const coinPattern = /^0x0{63}2::coin::Coin<(.+)>$/;
const storageMistPerByte = 7_600n;
// Bytes of type, owner and version of an object, which are stored with its contents.
const envelopeBytes = 90;

export const coinObjectType = (coinType: string): string => canonicalMoveType(`0x2::coin::Coin<${coinType}>`);

/** Returns the coin type; undefined for an object that is not a coin. */
export const coinTypeIn = (type: string): string | undefined => coinPattern.exec(type)?.[1];

export const coinContents = (id: string, balanceAtomic: bigint): Uint8Array =>
  new BcsWriter().address(id).u64(balanceAtomic).bytes;

export function coinBalance({ contents }: Pick<SuiObject, 'contents'>): bigint {
  const reader = new BcsReader(contents);
  reader.address();
  return reader.u64();
}

/** Returns the storage deposit of an object, in MIST. */
export const storageMist = ({ contents }: Pick<SuiObject, 'contents'>): bigint =>
  BigInt(contents.length + envelopeBytes) * storageMistPerByte;

/** Adds a digest of all fields. It differs from the network's digest. */
export function sealed(object: Omit<SuiObject, 'digest'>): SuiObject {
  const { id, version, owner, type, contents, previousTransaction } = object;
  const preimage = writeOwner(owner, new BcsWriter().address(id).u64(version))
    .text(type)
    .byteVector(contents)
    .text(previousTransaction);
  return { ...object, digest: hashOf('Object::', preimage.bytes) };
}

/** Returns the Blake2b hash of the bytes with a name before them, in base58. */
export const hashOf = (name: string, bytes: Uint8Array): string =>
  base58.encode(blake2b(Uint8Array.from([...Buffer.from(name), ...bytes]), { dkLen: 32 }));

/** Writes `Owner` in BCS. */
export function writeOwner(owner: Owner, writer: BcsWriter): BcsWriter {
  if (owner.kind === 'shared') return writer.length(2).u64(owner.version);
  return writer.length(owner.kind === 'address' ? 0 : 1).address(owner.id);
}
