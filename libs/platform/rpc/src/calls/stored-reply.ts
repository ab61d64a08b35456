import type { ErrorCode } from '../errors/error-codes';

/** The first reply to a call, as the bytes that are sent on the bus: an output, or a failure if `failure` is set. */
export interface StoredReply {
  bytes: Uint8Array;
  failure: ErrorCode | null;
  answeredAtMs: number;
}

/** The exclusive right to serve a call with a key. After its lease another process may take over the call. */
export interface Claim {
  readonly idempotencyKey: string;
  /** Reply that was committed in a transaction of the handler. It is sent, regardless of the handler's result. */
  readonly committed: StoredReply | undefined;
  /**
   * Stores the reply to a call, an output or a `DomainError`. If a reply is already stored, that one is
   * returned. Undefined when the claim was taken over.
   */
  store(result: unknown): Promise<StoredReply | undefined>;
  /** Releases the claim, so that the same call can be served again. @returns the stored reply, if one exists */
  release(): Promise<StoredReply | undefined>;
}
