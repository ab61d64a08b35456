import type { AccountKey } from './account';

/** The digest of a grant as 32 characters of latin1: what maps find its session by. */
export type SessionKey = string;

/** What was spent under a grant, by whoever holds its key or reveals its links; holds count. */
export interface Session {
  key: SessionKey;
  account: AccountKey;
  /** Of the grant: who cancels it, names it. */
  nonce: Buffer;
  spentAtomic: bigint;
  maxTotalAtomic: bigint;
  validBeforeS: bigint;
  /** Of a chain: the last link that was revealed, at first its anchor. What it stands for is never given back to it. */
  link: Buffer | undefined;
  /** When it was last asked for. */
  usedMs: number;
}

export const digestOfSession = (key: SessionKey): Buffer => Buffer.from(key, 'latin1');
