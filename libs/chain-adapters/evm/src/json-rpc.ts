import { type JsonRpcRequest, type Fields, UnreadableReply, readText } from '@tollbridge/http';
import type { RpcErrorKind, RpcErrorReason } from './rpc-error';

export interface RpcRequest extends JsonRpcRequest {
  params: readonly unknown[];
  /** The node's own verdict on it, such as a revert, takes the result's place and spares the others of its batch. */
  mayFail?: boolean;
}

export interface NodeError {
  code: number;
  message: string;
  data?: unknown;
}

export function readNodeError({ code, message, data }: Fields): NodeError {
  if (typeof code !== 'number' || !Number.isInteger(code))
    throw new UnreadableReply('error.code is malformed');
  const text = readText(message, 'error.message');
  return { code, message: text, ...(data === undefined ? {} : { data }) };
}

// What the nodes and providers say, as seen in their documentation and public issue reports. None of it is
// standardised, so json-rpc.spec.ts lists real texts that must be classified.
const limitText =
  /rate.?limit|too many requests|request rate|\b(request|daily|monthly|credit|compute)\b.{0,40}(limit|exceeded|reached)|^limit exceeded/i;
const notFoundText =
  /header not found|unknown block|block not found|BlockOutOfRange|beyond (the )?(current )?head|invalid block range|missing trie node/i;
const rangeText =
  /\brange\b|(too many|more than|max(imum)?|exceeds?)\b.*\b(results|logs|blocks)|response (size|is too|too)|timeout|timed out/i;
const batchText = /\bbatch/i;

// Calls that may fail by what they carry: code of contracts, and transactions of users.
const callsOfUsers = new Set([
  'eth_call',
  'eth_estimateGas',
  'eth_sendRawTransaction',
  'eth_simulateV1',
  'eth_createAccessList',
]);

/**
 * What an error of a node calls for: another endpoint, a pause, or a smaller question. Our reads are well formed. So an
 * error in unknown words means that this node rejects the read (too much, too old, too busy). Only for calls of users
 * it is the answer.
 */
export function nameNodeError(
  error: NodeError,
  method: string,
): { kind: RpcErrorKind; reason: RpcErrorReason } {
  const isAnswer = !method.startsWith('eth_') || callsOfUsers.has(method);
  // A contract chooses its revert text: searching it would let any contract mark our endpoints as unhealthy.
  const isRevert = error.code === 3 || /revert/i.test(error.message);
  if (isAnswer && isRevert) return { kind: 'rejected', reason: 'nodeError' };
  const text = `${error.message} ${detailText(error.data)}`;
  if (notFoundText.test(text)) return { kind: 'rejected', reason: 'headerNotFound' };
  // Before the limits: Infura says "query returned more than 10000 results" under the code of its rate limit.
  if (method === 'eth_getLogs' && rangeText.test(text)) return { kind: 'rejected', reason: 'rangeTooLarge' };
  // Providers use the code of rate limits for ranges too: of logs only words count.
  const hasLimitCode = error.code === -32005 && method !== 'eth_getLogs';
  if (hasLimitCode || error.code === 429 || limitText.test(error.message))
    return { kind: 'rateLimited', reason: 'requestLimit' };
  return { kind: 'rejected', reason: isAnswer ? 'nodeError' : 'readRejected' };
}

export const namesBatches = (message: string): boolean => batchText.test(message);

/** Some gateways answer "invalid params" and put the reason beside it. */
function detailText(data: unknown): string {
  if (typeof data === 'string') return data;
  return typeof data === 'object' && data !== null ? JSON.stringify(data) : '';
}
