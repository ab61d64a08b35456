import type { ErrorCode } from './error-codes';

/**
 * A reply as it was first given. Its bytes are what travels on the bus: an output, or a failure where `failure` says so.
 */
export interface StoredReply {
  bytes: Uint8Array;
  failure: ErrorCode | null;
  answeredAtMs: number;
}

/** The right to serve a keyed call. It ends with its lease: then another process may have taken the call over. */
export interface Claim {
  readonly idempotencyKey: string;
  /** The reply that was stored together with a write, if it was stored for this very result. */
  keptFor(result: unknown): StoredReply | undefined;
  /**
   * Stores the reply to a call, an output or a `DomainError`, unless one is stored already: that one counts then.
   * Undefined when the claim was taken over.
   */
  keep(result: unknown): Promise<StoredReply | undefined>;
  /** Lets the same call be served again. Returns the stored reply, if there is one after all. */
  release(): Promise<StoredReply | undefined>;
}
