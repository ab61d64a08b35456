import { ownBytes } from '../own-bytes';

/** Map key of an account: its hash in the base workchain, as 32 characters of latin1. */
export type AccountKey = string;

/** The sums that an account has deposited, spent and earned, in the smallest unit of the asset. */
export interface Account {
  key: AccountKey;
  /** The key that signs for the account; undefined before the first payment. See `hasNoKey`. */
  publicKey: Buffer | undefined;
  deposited: bigint;
  available: bigint;
  reserved: bigint;
  spent: bigint;
  earned: bigint;
  /** The part of `earned` that is paid out, and the part that a payout in progress pays. */
  settled: bigint;
  settling: bigint;
  withdrawn: bigint;
  policy: Policy | undefined;
  /** Nonces of payments and grants that must never be charged, as latin1; undefined without cancellations. */
  cancelled: Set<string> | undefined;
  updatedMs: number;
  /** Last use; idle accounts are unloaded. */
  usedMs: number;
}

/** Limits that the owner sets for payments. */
export interface Policy {
  /** Larger payments need an approval. */
  maxAmountAtomic: bigint;
  /** Maximum payments per minute. */
  rateLimit: number;
}

export const newAccount = (key: AccountKey, nowMs: number): Account => ({
  key,
  publicKey: undefined,
  deposited: 0n,
  available: 0n,
  reserved: 0n,
  spent: 0n,
  withdrawn: 0n,
  earned: 0n,
  settled: 0n,
  settling: 0n,
  policy: undefined,
  cancelled: undefined,
  updatedMs: nowMs,
  usedMs: nowMs,
});

/** Marks a wallet that accepts no signatures. A key of zeros is never a valid key. */
export const noKey: Buffer = Buffer.alloc(32);

/** Whether signature authentication is off in the wallet contract. */
export const hasNoKey = ({ publicKey }: Account): boolean => publicKey?.equals(noKey) === true;

/** Stores the verified key of an account without a key. */
export function setKeyIfUnset(account: Account, publicKey: Uint8Array): void {
  account.publicKey ??= ownBytes(publicKey);
}

export const unsettledOf = ({ earned, settled, settling }: Account): bigint => earned - settled - settling;

export const addressOf = (key: AccountKey): string => `0:${Buffer.from(key, 'latin1').toString('hex')}`;

/** @param address raw address of an account */
export const keyOf = (address: string): AccountKey => Buffer.from(address.slice(2), 'hex').toString('latin1');

export const bytesOfKey = (key: AccountKey): Buffer => Buffer.from(key, 'latin1');
