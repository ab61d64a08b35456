import { TollbridgeError } from './errors';

declare const failure: unique symbol;

/** A call under way. It rejects with `E` only; `toResult` gives `E` as a typed value. */
export interface Call<T, E extends TollbridgeError = TollbridgeError> extends Promise<T> {
  /** For types only: a rejected promise has no type. */
  readonly [failure]?: E;
}

export type Result<T, E> = { ok: true; value: T; error?: never } | { ok: false; error: E; value?: never };

/**
 * Waits for a call and returns its error instead of throwing it. So `switch (result.error.code)` knows every code of
 * the operation and the `details` of each.
 */
export async function toResult<T, E extends TollbridgeError>(call: Call<T, E>): Promise<Result<T, E>> {
  try {
    return { ok: true, value: await call };
  } catch (error) {
    if (error instanceof TollbridgeError) return { ok: false, error: error as E };
    throw error;
  }
}

/** For one call; each option replaces that of the client. */
export interface CallOptions {
  /** Ends the call, and its retries, with `ABORTED`. */
  signal?: AbortSignal | undefined;
  /** For each attempt, in milliseconds; 0 for none. */
  timeoutMs?: number | undefined;
  /** Retries after the first attempt; 0 for none. */
  retries?: number | undefined;
  /**
   * For POST and PUT: a call with the same key and body takes effect once within 24 hours. A random one unless given,
   * the same for all retries of the call.
   */
  idempotencyKey?: string | undefined;
  /** The wallet that the call acts for. */
  wallet?: string | undefined;
  /** More headers. */
  headers?: Readonly<Record<string, string>> | undefined;
  /** Receives facts about the successful reply. */
  onReply?: ((facts: ReplyFacts) => void) | undefined;
}

export interface ReplyFacts {
  status: number;
  /** `x-request-id` of the reply. */
  requestId: string | undefined;
  /** The reply is the stored one of an earlier call with this idempotency key. */
  isReplayed: boolean;
  /** 1 without a retry. */
  attempts: number;
  headers: { get(name: string): string | null };
}
