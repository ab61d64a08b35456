import { type JsonRpcRequest, type Fields, UnreadableReply, readText } from '@tollbridge/http';
import type { RpcErrorKind, RpcErrorReason } from './rpc-error';

export interface RpcRequest extends JsonRpcRequest {
  params: readonly unknown[];
  /**
   * The node's error for this request, such as a revert, becomes its result. The other requests of the batch are
   * unaffected.
   */
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

// Patterns for messages of nodes and providers, from their documentation and public issue reports. These messages are
// not standardised, so json-rpc.spec.ts lists real ones that must be classified.
const limitText =
  /rate.?limit|too many requests|request rate|\b(request|daily|monthly|credit|compute)\b.{0,40}(limit|exceeded|reached)|^limit exceeded/i;
const notFoundText =
  /header not found|unknown block|block not found|BlockOutOfRange|beyond (the )?(current )?head|invalid block range|missing trie node/i;
const rangeText =
  /\brange\b|(too many|more than|max(imum)?|exceeds?)\b.*\b(results|logs|blocks)|response (size|is too|too)|timeout|timed out/i;
const batchText = /\bbatch/i;

// Calls that can fail because of their content: code of contracts, and transactions of users.
const callsOfUsers = new Set([
  'eth_call',
  'eth_estimateGas',
  'eth_sendRawTransaction',
  'eth_simulateV1',
  'eth_createAccessList',
]);

/**
 * Classifies an error of a node: use another endpoint, pause, or request less. Our reads are well formed. An unknown
 * error therefore means that this node rejects the read (too large, too old, too busy). Only for users' calls, the
 * error is the answer.
 */
export function nameNodeError(
  error: NodeError,
  method: string,
): { kind: RpcErrorKind; reason: RpcErrorReason } {
  const isAnswer = !method.startsWith('eth_') || callsOfUsers.has(method);
  // A contract chooses its revert message. If it were searched, any contract could mark our endpoints as unhealthy.
  const isRevert = error.code === 3 || /revert/i.test(error.message);
  if (isAnswer && isRevert) return { kind: 'rejected', reason: 'nodeError' };
  const text = `${error.message} ${detailText(error.data)}`;
  if (notFoundText.test(text)) return { kind: 'rejected', reason: 'headerNotFound' };
  // Checked before the limits, because Infura sends "query returned more than 10000 results" with the code of its rate
  // limit.
  if (method === 'eth_getLogs' && rangeText.test(text)) return { kind: 'rejected', reason: 'rangeTooLarge' };
  // Providers use the code of rate limits for ranges too, so only the message counts for logs.
  const hasLimitCode = error.code === -32005 && method !== 'eth_getLogs';
  if (hasLimitCode || error.code === 429 || limitText.test(error.message))
    return { kind: 'rateLimited', reason: 'requestLimit' };
  return { kind: 'rejected', reason: isAnswer ? 'nodeError' : 'readRejected' };
}

export const namesBatches = (message: string): boolean => batchText.test(message);

/** Some gateways return "invalid params" and put the reason into the data. */
function detailText(data: unknown): string {
  if (typeof data === 'string') return data;
  return typeof data === 'object' && data !== null ? JSON.stringify(data) : '';
}
