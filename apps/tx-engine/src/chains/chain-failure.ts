import { DomainError } from '@tollbridge/rpc';
import { RpcError } from '@tollbridge/evm';

/** What a caller is told when the nodes of a chain fail. @throws the error itself when it is none of theirs */
export function chainFailure(error: unknown): DomainError {
  if (!(error instanceof RpcError)) throw error;
  const message = 'The chain does not answer at present. Retry after retryAfter seconds.';
  return new DomainError('UPSTREAM_UNAVAILABLE', message, { cause: error });
}

/** An answer that is none: as bad as no answer. */
export function unreadable(what: string): RpcError {
  return new RpcError({ kind: 'badReply', reason: 'malformed', endpoint: 'node', text: what });
}
