import { createHash, createHmac } from 'node:crypto';
import type { CallContext } from './call-context';
import type { Claim, StoredReply } from './stored-reply';

export type { Claim, StoredReply } from './stored-reply';

/** What a caller may send as an `Idempotency-Key`. */
export const idempotencyKeyForm = /^[!-~]{1,255}$/;

/** What is asked before a call with a key is served. */
export interface KeyedCall {
  /**
   * As `idempotencyKeyOf` made it. It is a secret: replies that hold one are sealed under it, so it is stored nowhere.
   */
  idempotencyKey: string;
  subject: string;
  /** A failure is replayed with the id of the request that it was first answered to. */
  requestId: string;
  /** As `digestOfInput` makes it. */
  input: Buffer;
  /** How long the call is reserved for its server, unless it is answered before. In milliseconds. */
  leaseMs: number;
  /** Its reply must not be stored in plain. */
  hasSecretReply: boolean;
}

/** The result of a claim: ours, answered before, being served, or with a key that was used for another input. */
export type Claimed =
  | { state: 'claimed'; claim: Claim }
  | { state: 'answered'; reply: StoredReply }
  | { state: 'running' }
  | { state: 'otherInput' };

/** Where the replies to calls with a key are kept, for as long as `replyRetentionMs`. */
export interface ReplyStore {
  claim(call: KeyedCall): Promise<Claimed>;
}

/** How long a key and its reply are kept. */
export const replyRetentionMs = 24 * 60 * 60_000;

/**
 * What travels instead of the key that a caller sent. Keys of two callers never collide, and no service behind the
 * gateway learns what the caller wrote.
 */
export function idempotencyKeyOf(caller: string, text: string): string {
  return createHash('sha256')
    .update(JSON.stringify([caller, text]))
    .digest('base64url');
}

/**
 * The context for a call that is made while a keyed call is served. It has a key of its own that is the same at each
 * repetition. So what was done before a crash is not done twice. `purpose` distinguishes the calls of one handler.
 * Contexts that are merely handed on carry no key.
 */
export function withDerivedKey(context: CallContext, purpose: string): CallContext {
  const { claim, ...rest } = context;
  return claim ? { ...rest, idempotencyKey: idempotencyKeyOf(claim.idempotencyKey, purpose) } : rest;
}

/**
 * Distinguishes inputs, whatever the order of their fields. Keyed, since an input can be guessed from a plain digest.
 * @param input as it was decoded
 */
export function digestOfInput(idempotencyKey: string, input: unknown): Buffer {
  return createHmac('sha256', idempotencyKey)
    .update(JSON.stringify(sorted(input)))
    .digest();
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const given = Object.entries(value).filter(([, item]) => item !== undefined);
  // Pairs, since an object would put names that look like numbers first; in braces, since a list may hold such pairs
  // too.
  return { fields: given.sort(byName).map(([name, item]) => [name, sorted(item)]) };
}

const byName = ([one]: [string, unknown], [other]: [string, unknown]): number => (one < other ? -1 : 1);
