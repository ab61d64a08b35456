import { readJsonRpcReply, type JsonRpcReply, type Fields } from '@tollbridge/http';
import { ReadFailure } from './read-failure';

/** Parses a reply. The reader handles the node's own error. */
export const readRpcReply = (reply: unknown): JsonRpcReply<Fields> =>
  readJsonRpcReply(reply, (error) => error);

/** Whether a 4xx reply comes from the node, not from a gateway in front of it. */
export function isRpcError(body: unknown): boolean {
  return typeof body === 'object' && body !== null && 'jsonrpc' in body && 'error' in body;
}

/** Parses a reply of a method where every error is a failure. */
export function readRpcResult(reply: unknown): unknown {
  const answer = readRpcReply(reply);
  if ('error' in answer) throw new NodeError(answer.error);
  return answer.result;
}

/**
 * A node's error. It contains only the code, because messages of nodes quote requests and messages of gateways may
 * quote API keys.
 */
export class NodeError extends ReadFailure {
  override readonly name = 'NodeError';

  constructor({ code }: Fields) {
    super(`the node answered error ${typeof code === 'bigint' ? code : 'without a code'}`);
  }
}
