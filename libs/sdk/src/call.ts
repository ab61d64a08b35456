import { TollbridgeError } from './errors';

declare const failure: unique symbol;

/** A running call. It rejects only with `E`; `toResult` returns `E` as a typed value. */
export interface Call<T, E extends TollbridgeError = TollbridgeError> extends Promise<T> {
  /** Only for types, because a rejected promise has no type. */
  readonly [failure]?: E;
}

export type Result<T, E> = { ok: true; value: T; error?: never } | { ok: false; error: E; value?: never };

/**
 * Waits for a call, and returns its error instead of throwing it. With `switch (result.error.code)` TypeScript narrows
 * to every code of the operation and its `details`.
 */
export async function toResult<T, E extends TollbridgeError>(call: Call<T, E>): Promise<Result<T, E>> {
  try {
    return { ok: true, value: await call };
  } catch (error) {
    if (error instanceof TollbridgeError) return { ok: false, error: error as E };
    throw error;
  }
}

/** Options of one call. Each option replaces that of the client. */
export interface CallOptions {
  /** Aborts the call and its retries with `ABORTED`. */
  signal?: AbortSignal | undefined;
  /** Time-out of each attempt in milliseconds; 0 for none. */
  timeoutMs?: number | undefined;
  /** Number of retries after the first attempt; 0 for none. */
  retries?: number | undefined;
  /**
   * For POST and PUT. Calls with the same key and body take effect once within 24 hours. By default a random key, the
   * same for all retries of the call.
   */
  idempotencyKey?: string | undefined;
  /** The wallet that the call acts for. */
  wallet?: string | undefined;
  /** Additional headers. */
  headers?: Readonly<Record<string, string>> | undefined;
  /** Called with facts about the successful reply. */
  onReply?: ((facts: ReplyFacts) => void) | undefined;
}

export interface ReplyFacts {
  status: number;
  /** `x-request-id` of the reply. */
  requestId: string | undefined;
  /** Whether the reply is the stored reply of an earlier call with this idempotency key. */
  isReplayed: boolean;
  /** Number of attempts; 1 without a retry. */
  attempts: number;
  headers: { get(name: string): string | null };
}
