// JSON-RPC 2.0 over HTTP: creates request bodies, and reads replies in the order of the requests. The functions are
// pure.
import type { ProviderRequest } from './provider-request';
import { isAbsent, readFields, readList, UnreadableReply, type Fields } from './reply-fields';

export interface JsonRpcRequest {
  method: string;
  params: unknown;
}

export type JsonRpcReply<NodeError> = { result: unknown } | { error: NodeError };

/** `rejection` is one error for a whole batch: the node executed no part of the batch. */
export type JsonRpcReplies<NodeError> = { replies: JsonRpcReply<NodeError>[] } | { rejection: NodeError };

/** Reads the error of a node, because nodes differ in its fields. @throws UnreadableReply for a malformed error */
export type ReadNodeError<NodeError> = (error: Fields) => NodeError;

/** Returns the request body: one object for one request, a batch for several. Ids increase from `firstId`. */
export function jsonRpcBody(requests: readonly JsonRpcRequest[], firstId = 1): object {
  const bodies = requests.map(({ method, params }, index) => ({
    jsonrpc: '2.0',
    id: firstId + index,
    method,
    params,
  }));
  return bodies.length === 1 ? bodies[0]! : bodies;
}

/** Returns one request to the base URL of a `ProviderClient`. */
export function jsonRpcRequest(method: string, params: unknown, signal?: AbortSignal): ProviderRequest {
  const body = jsonRpcBody([{ method, params }]);
  return { method: 'POST', path: '', body, ...(signal && { signal }) };
}

/** @param reply parsed by `JSON.parse` or `parseExactJson` */
export function readJsonRpcReply<NodeError>(
  reply: unknown,
  readError: ReadNodeError<NodeError>,
  expectedId = 1,
): JsonRpcReply<NodeError> {
  const { id, answer } = readEnvelope(reply, readError);
  // A node that cannot parse the request answers an error with id null.
  if (id !== expectedId && !('error' in answer && id === null)) throw new UnreadableReply('id is malformed');
  return answer;
}

/** Returns the replies in the order of the requests. A node may answer a batch in any order. */
export function readJsonRpcReplies<NodeError>(
  reply: unknown,
  readError: ReadNodeError<NodeError>,
  { firstId, count }: { firstId: number; count: number },
): JsonRpcReplies<NodeError> {
  if (count === 1) return { replies: [readJsonRpcReply(reply, readError, firstId)] };
  const rejection = readRejection(reply, readError);
  if (rejection) return { rejection };
  const envelopes = readList(reply, 'batch reply').map((item) => readEnvelope(item, readError));
  const byId = new Map(envelopes.map(({ id, answer }) => [id, answer]));
  if (envelopes.length !== count || byId.size !== count)
    throw new UnreadableReply('batch reply is malformed');
  const replies = Array.from({ length: count }, (_, index) => {
    const answer = byId.get(firstId + index);
    if (!answer) throw new UnreadableReply('id is malformed');
    return answer;
  });
  return { replies };
}

/** Reads the error for a whole batch. geth sends a list with one error, most other nodes a single error. */
function readRejection<NodeError>(reply: unknown, readError: ReadNodeError<NodeError>): NodeError | null {
  const lone = Array.isArray(reply) ? (reply.length === 1 ? reply[0] : null) : reply;
  if (lone === null) return null;
  const { answer } = readEnvelope(lone, readError);
  return 'error' in answer ? answer.error : null;
}

function readEnvelope<NodeError>(
  value: unknown,
  readError: ReadNodeError<NodeError>,
): { id: unknown; answer: JsonRpcReply<NodeError> } {
  const { jsonrpc, id: sentId, result, error } = readFields(value, 'reply');
  if (jsonrpc !== '2.0') throw new UnreadableReply('jsonrpc is malformed');
  // An exact parser returns whole numbers as bigints.
  const id = typeof sentId === 'bigint' ? Number(sentId) : sentId;
  if (!isAbsent(error)) return { id, answer: { error: readError(readFields(error, 'error')) } };
  if (result === undefined) throw new UnreadableReply('result is malformed');
  return { id, answer: { result } };
}
