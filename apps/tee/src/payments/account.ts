import { ownBytes } from './own-bytes';

/** The hash of an account of the base workchain, as 32 characters of latin1: what maps find it by. */
export type AccountKey = string;

/** What one account has deposited, spent and earned, in the smallest unit of the asset. */
export interface Account {
  key: AccountKey;
  /** Proven to sign for the account; undefined until it has paid for the first time. See `hasNoKey`. */
  publicKey: Buffer | undefined;
  deposited: bigint;
  available: bigint;
  reserved: bigint;
  spent: bigint;
  earned: bigint;
  /** Of what was earned: paid out, and on its way out. */
  settled: bigint;
  settling: bigint;
  withdrawn: bigint;
  policy: Policy | undefined;
  /** Nonces of payments and grants that must never be charged, as latin1; undefined while there are none. */
  cancelled: Set<string> | undefined;
  updatedMs: number;
  /** When it was last asked for. */
  usedMs: number;
}

/** What an owner allows his key. */
export interface Policy {
  /** What is above waits for approval. */
  maxAmountAtomic: bigint;
  /** Payments a minute. */
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

/** Stands where a key would, of a wallet that takes no signatures. As a key it is worth nothing: it is no strong one. */
export const noKey: Buffer = Buffer.alloc(32);

/** Whether the wallet has said on the chain that its owner has switched signatures off. */
export const hasNoKey = ({ publicKey }: Account): boolean => publicKey?.equals(noKey) === true;

/** A key that was proven, where none is known. */
export function rememberKey(account: Account, publicKey: Uint8Array): void {
  account.publicKey ??= ownBytes(publicKey);
}

export const unsettledOf = ({ earned, settled, settling }: Account): bigint => earned - settled - settling;

export const addressOf = (key: AccountKey): string => `0:${Buffer.from(key, 'latin1').toString('hex')}`;

/** @param address a raw account */
export const keyOf = (address: string): AccountKey => Buffer.from(address.slice(2), 'hex').toString('latin1');

export const bytesOfKey = (key: AccountKey): Buffer => Buffer.from(key, 'latin1');
