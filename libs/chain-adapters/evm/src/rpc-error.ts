/**
 * For the caller: retry `unavailable` and `rateLimited` later; `rejected` is the error of the request itself;
 * `badReply` is an invalid reply of the node.
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
  /** The endpoint's redacted name, or the chain when no endpoint was asked. */
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

// A revert text can be as long as its contract likes; a log line need not be.
const maxMessageLength = 500;

/** The error of all RPC calls. It has no cause: foreign errors may quote the URL with its key. */
export class RpcError extends Error {
  readonly kind: RpcErrorKind;
  readonly reason: RpcErrorReason;
  readonly endpoint: string;
  /** Code, message and data of the node's own JSON-RPC error. */
  readonly code: number | undefined;
  readonly nodeMessage: string | undefined;
  readonly data: unknown;
  /** How long to wait before asking again, where a node or the pool says so. */
  readonly retryAfterMs: number | undefined;
  /** An earlier endpoint did not reply to this call, and may have executed it. */
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

  /** True when another endpoint may succeed. An error of the call itself (a revert) is the same everywhere. */
  get mayDifferElsewhere(): boolean {
    return this.kind !== 'rejected' || this.reason !== 'nodeError';
  }

  /** True when the endpoint names the range or the size of its reply as the reason. */
  get asksForSmallerRange(): boolean {
    return this.reason === 'rangeTooLarge' || this.reason === 'replyTooLarge';
  }

  /** True when a request for fewer blocks may succeed. Only some failures exclude that, whatever the endpoint says. */
  get mayBeAboutRange(): boolean {
    // Words about a block are a guess, except where the reply itself lacks it: "invalid block range, at most 1000".
    const isMissingBlock = this.reason === 'headerNotFound' && this.nodeMessage === undefined;
    return !isMissingBlock && !unrelatedToRange.has(this.reason) && this.code !== methodNotFound;
  }
}
