import { jsonRpcBody, readJsonRpcReplies, type JsonRpcReplies, UnreadableReply } from '@tollbridge/http';
import { type HttpAnswer, type HttpLimits, postJson } from './http-post';
import { nameNodeError, namesBatches, readNodeError, type NodeError, type RpcRequest } from './json-rpc';
import { RangeLimit } from '@tollbridge/chain-nodes';
import { RpcError } from './rpc-error';
import type { RpcUrl } from './rpc-url';

// Most public providers accept 100 requests in a batch, and geth's own limit is 1000. A rejection sets a smaller limit.
const maxBatch = 100;
// Statuses of gateways that reject a batch before a node has read it.
const batchStatuses = new Set([400, 413]);
// Status codes from the provider, not from the node: a wrong, missing, unpaid or blocked key.
const gatewayRejections = new Set([401, 402, 403, 407]);

/** JSON-RPC client for one URL. `RpcEndpoint` decides whether the URL is healthy. */
export class JsonRpcClient {
  private lastId = 0;
  private readonly batches: RangeLimit;

  constructor(
    readonly url: RpcUrl,
    private readonly limits: HttpLimits & { now(): number },
  ) {
    this.batches = new RangeLimit(limits);
  }

  /** Returns the results in the order of the requests. Throws the first error of a request without `mayFail`. */
  async send(requests: readonly RpcRequest[]): Promise<unknown[]> {
    const results: unknown[] = [];
    while (results.length < requests.length) {
      const size = Math.min(maxBatch, this.batches.atMost);
      const part = requests.slice(results.length, results.length + size);
      try {
        results.push(...(await this.exchange(part)));
        this.batches.accepted(part.length);
      } catch (error) {
        if (!(error instanceof RpcError) || error.reason !== 'batchTooLarge') throw error;
        this.batches.rejected(part.length, namesBatches(error.message));
      }
    }
    return results;
  }

  private async exchange(requests: readonly RpcRequest[]): Promise<unknown[]> {
    const firstId = this.lastId + 1;
    this.lastId += requests.length;
    const body = JSON.stringify(jsonRpcBody(requests, firstId));
    const answer = await postJson(this.url, body, this.limits);
    const decoded = this.decode(answer, firstId, requests.length);
    if ('rejection' in decoded) throw this.batchError(decoded.rejection, requests);
    return decoded.replies.map((reply, index) => {
      if (!('error' in reply)) return reply.result;
      const { method, mayFail } = requests[index]!;
      const error = this.nodeError(reply.error, method);
      if (mayFail && error.reason === 'nodeError') return error;
      throw error;
    });
  }

  private decode(answer: HttpAnswer, firstId: number, count: number): JsonRpcReplies<NodeError> {
    const { status } = answer;
    if (status === 429 || gatewayRejections.has(status)) throw this.statusError(answer);
    try {
      return readJsonRpcReplies(parseJson(answer.body), readNodeError, { firstId, count });
    } catch (error) {
      if (!(error instanceof UnreadableReply)) throw error;
      // Many nodes send JSON-RPC errors with a 4xx or 5xx status. The status matters only if the body contains no
      // error.
      if (count > 1 && batchStatuses.has(status)) throw this.batchRejected(`HTTP status ${status}`);
      if (status < 200 || status > 299) throw this.statusError(answer);
      throw this.error('badReply', 'malformed', error.message);
    }
  }

  private statusError(answer: HttpAnswer): RpcError {
    const retryAfterMs = parseRetryAfter(answer.retryAfter, this.limits.now());
    const limited = answer.status === 429;
    return new RpcError({
      kind: limited ? 'rateLimited' : 'unavailable',
      reason: limited ? 'requestLimit' : 'httpStatus',
      endpoint: this.url.label,
      text: `HTTP status ${answer.status}`,
      ...(retryAfterMs === null ? {} : { retryAfterMs }),
    });
  }

  /**
   * Handles one error for many requests, with any message. Smaller batches then show whether the batch or one request
   * was wrong.
   */
  private batchError(rejection: NodeError, requests: readonly RpcRequest[]): RpcError {
    const error = this.nodeError(rejection, requests[0]!.method);
    const isAboutLoad = error.kind === 'rateLimited' && !namesBatches(rejection.message);
    return isAboutLoad ? error : this.batchRejected(error.nodeMessage ?? 'batch rejected');
  }

  private batchRejected(text: string): RpcError {
    return this.error('rejected', 'batchTooLarge', text);
  }

  private nodeError(error: NodeError, method: string): RpcError {
    const nodeMessage = this.url.withoutSecrets(error.message);
    const retryAfterMs = backoffAskedFor(error.data);
    return new RpcError({
      ...nameNodeError(error, method),
      endpoint: this.url.label,
      text: `${method} answered error ${error.code}: ${nodeMessage}`,
      code: error.code,
      nodeMessage,
      data: this.dataWithoutSecrets(error.data),
      ...(retryAfterMs === null ? {} : { retryAfterMs }),
    });
  }

  /**
   * Returns error data without secrets. Revert data is hexadecimal from the chain and is kept unchanged. Other data
   * came from a gateway that has our key.
   */
  private dataWithoutSecrets(data: unknown): unknown {
    if (data === undefined || (typeof data === 'string' && /^0x[0-9a-f]*$/i.test(data))) return data;
    if (typeof data === 'string') return this.url.withoutSecrets(data);
    try {
      return JSON.parse(this.url.withoutSecrets(JSON.stringify(data)));
    } catch {
      // Redacting a number leaves invalid JSON. Losing a detail is better than revealing a key.
      return null;
    }
  }

  private error(kind: RpcError['kind'], reason: RpcError['reason'], text: string): RpcError {
    return new RpcError({ kind, reason, endpoint: this.url.label, text });
  }
}

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    throw new UnreadableReply('body is malformed');
  }
}

/** Parses a number of seconds or an HTTP date. */
export function parseRetryAfter(header: string | null, nowMs: number): number | null {
  if (header === null) return null;
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1000;
  // Date.parse alone would parse "-5" as a day in May 2001.
  const atMs = /^[A-Z][a-z]+, /.test(header) ? Date.parse(header) : NaN;
  return Number.isNaN(atMs) ? null : Math.max(0, atMs - nowMs);
}

/** Infura's rate limit error contains the pause in its data. */
function backoffAskedFor(data: unknown): number | null {
  if (typeof data !== 'object' || data === null || !('backoff_seconds' in data)) return null;
  const seconds = data.backoff_seconds;
  return typeof seconds === 'number' && seconds > 0 ? Math.ceil(seconds * 1000) : null;
}
