import { DomainError } from '@tollbridge/rpc';
import { RpcError } from '@tollbridge/evm';

/** Maps an error of a chain's nodes to the API's error. @throws `error` itself if it is not an RpcError */
export function chainFailure(error: unknown): DomainError {
  if (!(error instanceof RpcError)) throw error;
  const message = 'The chain does not answer at present. Retry after retryAfter seconds.';
  return new DomainError('UPSTREAM_UNAVAILABLE', message, { cause: error });
}

/** The API's error for a failure. @throws `error` itself if it is neither a DomainError nor an RpcError */
export function asFailure(error: unknown): DomainError {
  return error instanceof DomainError ? error : chainFailure(error);
}

/** The error for a node's reply that cannot be parsed. It is treated like an unavailable node. */
export function unreadable(what: string): RpcError {
  return new RpcError({ kind: 'badReply', reason: 'malformed', endpoint: 'node', text: what });
}
