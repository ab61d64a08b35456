import { createHash, createHmac } from 'node:crypto';
import type { CallContext } from './call-context';
import type { Claim, StoredReply } from './stored-reply';

export type { Claim, StoredReply } from './stored-reply';

/** Accepted values of the header `Idempotency-Key`. */
export const idempotencyKeyForm = /^[!-~]{1,255}$/;

/** Parameters of a claim for a call with a key. */
export interface KeyedCall {
  /**
   * Key from `idempotencyKeyOf`. It is a secret and is never stored, because it is part of the encryption key
   * of secret replies.
   */
  idempotencyKey: string;
  subject: string;
  /** Id of this request. A stored failure is replayed with the request id of its first answer. */
  requestId: string;
  /** Digest from `digestOfInput`. */
  input: Buffer;
  /** Duration of the claim in milliseconds, unless the call is answered earlier. */
  leaseMs: number;
  /** Whether the stored reply must be encrypted. */
  hasSecretReply: boolean;
}

/** Result of a claim: claimed by this process, already answered, still running, or used with another input. */
export type Claimed =
  | { state: 'claimed'; claim: Claim }
  | { state: 'answered'; reply: StoredReply }
  | { state: 'running' }
  | { state: 'otherInput' };

/** Store of the replies to calls with a key. Replies are kept for `replyRetentionMs`. */
export interface ReplyStore {
  claim(call: KeyedCall): Promise<Claimed>;
}

/** How long a key and its reply are kept, in milliseconds. */
export const replyRetentionMs = 24 * 60 * 60_000;

/**
 * Returns the key for the bus, derived from the caller and the key that the client sent. Keys of two callers
 * never collide, and services behind the gateway do not see the client's text.
 */
export function idempotencyKeyOf(caller: string, text: string): string {
  return createHash('sha256')
    .update(JSON.stringify([caller, text]))
    .digest('base64url');
}

/**
 * Returns the context for a nested call while a call with a key is served. Its derived key is the same at
 * each repetition, so that work from before a crash is not repeated. `purpose` distinguishes the nested calls
 * of one handler. Contexts that are only passed on have no key.
 */
export function withDerivedKey(context: CallContext, purpose: string): CallContext {
  const { claim, ...rest } = context;
  return claim ? { ...rest, idempotencyKey: idempotencyKeyOf(claim.idempotencyKey, purpose) } : rest;
}

/**
 * Returns a digest of an input, independent of the order of its fields. It is keyed, because an input could
 * be guessed from a plain digest.
 * @param input the decoded input
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
  // The pairs form a list, because an object would sort names that look like numbers first. The object around the list
  // distinguishes it from an input with such pairs.
  return { fields: given.sort(byName).map(([name, item]) => [name, sorted(item)]) };
}

const byName = ([one]: [string, unknown], [other]: [string, unknown]): number => (one < other ? -1 : 1);
