/**
 * Instructions for the caller: retry `unavailable` and `rateLimited` later. `rejected` is an error of the request
 * itself, and `badReply` is an invalid reply of the node.
 */
export type RpcErrorKind = 'unavailable' | 'rejected' | 'rateLimited' | 'badReply';

export type RpcErrorReason =
  // unavailable
  | 'connection'
  | 'timeout'
  | 'httpStatus'
  | 'wrongChain'
  | 'allUnhealthy'
  // rateLimited
  | 'requestLimit'
  // badReply
  | 'malformed'
  | 'replyTooLarge'
  // rejected
  | 'nodeError'
  | 'readRejected'
  | 'headerNotFound'
  | 'rangeTooLarge'
  | 'batchTooLarge';

export interface RpcErrorFacts {
  kind: RpcErrorKind;
  reason: RpcErrorReason;
  /** The endpoint's name without secrets, or the chain if no endpoint was called. */
  endpoint: string;
  text: string;
  code?: number;
  nodeMessage?: string;
  data?: unknown;
  retryAfterMs?: number;
}

const methodNotFound = -32_601;
const unrelatedToRange: ReadonlySet<RpcErrorReason> = new Set([
  'wrongChain',
  'allUnhealthy',
  'batchTooLarge',
]);

// Bounds the length in logs, because a contract can choose a revert message of any length.
const maxMessageLength = 500;

/** The error of all RPC calls. It has no `cause`, because foreign errors may quote the URL with its key. */
export class RpcError extends Error {
  readonly kind: RpcErrorKind;
  readonly reason: RpcErrorReason;
  readonly endpoint: string;
  /** Code, message and data of the node's JSON-RPC error. */
  readonly code: number | undefined;
  readonly nodeMessage: string | undefined;
  readonly data: unknown;
  /** Pause before a retry, if a node or the pool specifies one. */
  readonly retryAfterMs: number | undefined;
  /** True if an earlier endpoint did not reply to this call. That endpoint may have executed it. */
  isAfterSilence = false;

  constructor(facts: RpcErrorFacts) {
    super(`${facts.endpoint}: ${facts.text}`.slice(0, maxMessageLength));
    this.name = 'RpcError';
    this.kind = facts.kind;
    this.reason = facts.reason;
    this.endpoint = facts.endpoint;
    this.code = facts.code;
    this.nodeMessage = facts.nodeMessage;
    this.data = facts.data;
    this.retryAfterMs = facts.retryAfterMs;
  }

  /** True if another endpoint may succeed. An error of the call itself (a revert) is the same everywhere. */
  get mayDifferElsewhere(): boolean {
    return this.kind !== 'rejected' || this.reason !== 'nodeError';
  }

  /** True if the endpoint reports the range or the size of its reply as the reason. */
  get asksForSmallerRange(): boolean {
    return this.reason === 'rangeTooLarge' || this.reason === 'replyTooLarge';
  }

  /** True if a request for fewer blocks may succeed. Only some failures exclude that, whatever their message is. */
  get mayBeAboutRange(): boolean {
    // A message about a block is only a guess: "invalid block range, at most 1000". A reply without the block is not.
    const isMissingBlock = this.reason === 'headerNotFound' && this.nodeMessage === undefined;
    return !isMissingBlock && !unrelatedToRange.has(this.reason) && this.code !== methodNotFound;
  }
}
