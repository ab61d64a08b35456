import type { ErrorCode } from '../errors/error-codes';

/**
 * The first reply to a call, as the bytes that are sent on the bus. An output, or a failure if `failure` is set.
 */
export interface StoredReply {
  bytes: Uint8Array;
  failure: ErrorCode | null;
  answeredAtMs: number;
}

/** The right to serve a call with a key. It ends with its lease; then another process may take the call over. */
export interface Claim {
  readonly idempotencyKey: string;
  /** The reply that was committed together with a write of the handler: it counts, whatever the handler returns. */
  readonly committed: StoredReply | undefined;
  /**
   * Stores the reply to a call, an output or a `DomainError`, unless one is stored already: that one counts then.
   * Undefined when the claim was taken over.
   */
  store(result: unknown): Promise<StoredReply | undefined>;
  /** Lets the same call be served again. Returns the stored reply, if there is one after all. */
  release(): Promise<StoredReply | undefined>;
}
