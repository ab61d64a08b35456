import type { AccountKey } from './account';

/** Map key of a session: the digest of its grant, as 32 characters of latin1. */
export type SessionKey = string;

/** The amount spent under one grant, including open holds. */
export interface Session {
  key: SessionKey;
  account: AccountKey;
  /** Nonce of the grant, which a cancellation refers to. */
  nonce: Buffer;
  spentAtomic: bigint;
  maxTotalAtomic: bigint;
  validBeforeS: bigint;
  /** For a hash chain: the last revealed link, initially the anchor. A refund does not reset it. */
  link: Buffer | undefined;
  /** Last use; idle sessions are unloaded. */
  usedMs: number;
}

export const digestOfSession = (key: SessionKey): Buffer => Buffer.from(key, 'latin1');

/** @throws Error if the session is not loaded */
export function loadedSession(sessions: ReadonlyMap<SessionKey, Session>, key: SessionKey): Session {
  const session = sessions.get(key);
  if (!session) throw new Error('session not loaded');
  return session;
}
