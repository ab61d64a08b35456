import { readJsonRpcReply, type JsonRpcReply, type Fields } from '@tollbridge/http';
import { ReadFailure } from './read-failure';

/** The node's own error is for the reader to understand. */
export const readRpcReply = (reply: unknown): JsonRpcReply<Fields> =>
  readJsonRpcReply(reply, (error) => error);

/** Whether a 4xx comes from the node and not from a gateway in front of it. */
export function isRpcError(body: unknown): boolean {
  return typeof body === 'object' && body !== null && 'jsonrpc' in body && 'error' in body;
}

/** For methods that fail with every error. */
export function readRpcResult(reply: unknown): unknown {
  const answer = readRpcReply(reply);
  if ('error' in answer) throw new NodeError(answer.error);
  return answer.result;
}

/** A node's error. Shows the code only: messages quote requests, and those of gateways API keys. */
export class NodeError extends ReadFailure {
  override readonly name = 'NodeError';

  constructor({ code }: Fields) {
    super(`the node answered error ${typeof code === 'bigint' ? code : 'without a code'}`);
  }
}
