import type { ProviderRequest } from '@tollbridge/http';
import { ReadFailure } from './read-failure';
import { recordField, WrongShape } from './wire-fields';

export type RpcReply = { result: unknown } | { error: Record<string, unknown> };

const id = 1;

export function rpcRequest(method: string, params: unknown, signal: AbortSignal): ProviderRequest {
  return { method: 'POST', path: '', body: { jsonrpc: '2.0', id, method, params }, signal };
}

/** Envelope of JSON-RPC 2.0; the node's own error is for the reader to understand. */
export function readRpcReply(reply: unknown): RpcReply {
  const envelope = recordField(reply, 'reply');
  if (envelope['jsonrpc'] !== '2.0' || envelope['id'] !== BigInt(id)) throw new WrongShape('jsonrpc');
  const { result, error } = envelope;
  if (error !== undefined && error !== null) return { error: recordField(error, 'error') };
  if (result === undefined) throw new WrongShape('result');
  return { result };
}

/** Whether a 4xx comes from the node and not from a gateway in front of it. */
export function isRpcError(body: unknown): boolean {
  return typeof body === 'object' && body !== null && 'jsonrpc' in body && 'error' in body;
}

/** For methods of which every error is a failure. */
export function readRpcResult(reply: unknown): unknown {
  const answer = readRpcReply(reply);
  if ('error' in answer) throw new NodeError(answer.error);
  return answer.result;
}

/** A node's error. Shows the code only: messages quote requests, and those of gateways API keys. */
export class NodeError extends ReadFailure {
  override readonly name = 'NodeError';

  constructor(error: Record<string, unknown>) {
    const { code } = error;
    super(`the node answered error ${typeof code === 'bigint' ? code : 'without a code'}`);
  }
}
