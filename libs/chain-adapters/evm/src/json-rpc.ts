import type { RpcErrorKind, RpcErrorReason } from './rpc-error';
import { listField, MalformedReply, recordField } from './wire-fields';

export interface RpcRequest {
  method: string;
  params: readonly unknown[];
  /** The node's own verdict on it, such as a revert, takes the result's place and spares the others of its batch. */
  mayFail?: boolean;
}

export interface NodeError {
  code: number;
  message: string;
  data?: unknown;
}

export type NodeReply = { result: unknown } | { error: NodeError };

/** `rejection` is one error for a whole batch: the node executed no part of it. */
export type DecodedReplies = { replies: NodeReply[] } | { rejection: NodeError };

/** One request goes out as an object, several as a batch; ids count up from `firstId`. */
export function encodeRequests(requests: readonly RpcRequest[], firstId: number): string {
  const bodies = requests.map(({ method, params }, index) => ({
    jsonrpc: '2.0',
    id: firstId + index,
    method,
    params,
  }));
  return JSON.stringify(bodies.length === 1 ? bodies[0] : bodies);
}

/** Puts the replies in the order of the requests: a node may answer a batch in any order. */
export function decodeReplies(body: string, firstId: number, count: number): DecodedReplies {
  const parsed = parseJson(body);
  if (count === 1) {
    const { id, reply } = decodeEnvelope(parsed);
    // A node that could not even read the request answers an error with id null.
    if (id !== firstId && !('error' in reply && id === null)) throw new MalformedReply('id');
    return { replies: [reply] };
  }
  const rejection = rejectionOf(parsed);
  if (rejection) return { rejection };
  const envelopes = listField(parsed, 'batch reply').map(decodeEnvelope);
  const byId = new Map(envelopes.map(({ id, reply }) => [id, reply]));
  if (envelopes.length !== count || byId.size !== count) throw new MalformedReply('batch reply');
  const replies = Array.from({ length: count }, (_, index) => {
    const reply = byId.get(firstId + index);
    if (!reply) throw new MalformedReply('id');
    return reply;
  });
  return { replies };
}

/** geth rejects a batch with a list of one error, most others with the bare error. */
function rejectionOf(parsed: unknown): NodeError | null {
  const lone = Array.isArray(parsed) ? (parsed.length === 1 ? parsed[0] : null) : parsed;
  if (lone === null) return null;
  const { reply } = decodeEnvelope(lone);
  return 'error' in reply ? reply.error : null;
}

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    throw new MalformedReply('body');
  }
}

function decodeEnvelope(value: unknown): { id: unknown; reply: NodeReply } {
  const envelope = recordField(value, 'reply');
  if (envelope['jsonrpc'] !== '2.0') throw new MalformedReply('jsonrpc');
  const { id, result, error } = envelope;
  if (error === undefined || error === null) {
    if (result === undefined) throw new MalformedReply('result');
    return { id, reply: { result } };
  }
  const { code, message, data } = recordField(error, 'error');
  if (typeof code !== 'number' || !Number.isInteger(code)) throw new MalformedReply('error.code');
  if (typeof message !== 'string') throw new MalformedReply('error.message');
  return { id, reply: { error: { code, message, ...(data === undefined ? {} : { data }) } } };
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
 * What an error of a node calls for: another endpoint, a pause, or a smaller question. Our reads are well formed, so an error in
 * unknown words is a rejection of this node (too much, too old, too busy); only for calls of users it is the answer.
 */
export function nameNodeError(
  error: NodeError,
  method: string,
): { kind: RpcErrorKind; reason: RpcErrorReason } {
  const isAnswer = !method.startsWith('eth_') || callsOfUsers.has(method);
  // A contract chooses its revert text: searching it would let any contract mark our endpoints as unhealthy.
  const isRevert = error.code === 3 || /revert/i.test(error.message);
  if (isAnswer && isRevert) return { kind: 'rejected', reason: 'nodeError' };
  const said = `${error.message} ${detailText(error.data)}`;
  if (notFoundText.test(said)) return { kind: 'rejected', reason: 'headerNotFound' };
  // Before the limits: Infura says "query returned more than 10000 results" under the code of its rate limit.
  if (method === 'eth_getLogs' && rangeText.test(said)) return { kind: 'rejected', reason: 'rangeTooLarge' };
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
