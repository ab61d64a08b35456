import { JsonRpcRejection, type JsonRpcMethods } from './json-rpc-methods';

interface Envelope {
  id?: unknown;
  method?: unknown;
  params?: unknown;
}

/** Answers a JSON-RPC body with one request or a batch. Like real nodes, errors have status 200 too. */
export async function answerJsonRpc(
  methods: JsonRpcMethods,
  body: string,
  onError: (error: unknown) => void,
): Promise<object> {
  const requests = parsed(body);
  if (requests === undefined) return failure(null, -32700, 'Parse json error');
  if (!Array.isArray(requests)) return answerOne(methods, requests as Envelope, onError);
  // Sequential, because a later reply of a batch must not be older than an earlier one.
  const answers: object[] = [];
  for (const request of requests) answers.push(await answerOne(methods, request as Envelope, onError));
  return answers;
}

async function answerOne(
  methods: JsonRpcMethods,
  { id = null, method, params }: Envelope,
  onError: (error: unknown) => void,
): Promise<object> {
  try {
    const result = await methods.call(method, Array.isArray(params) ? params : []);
    return { jsonrpc: '2.0', id, result };
  } catch (error) {
    if (error instanceof JsonRpcRejection) return failure(id, error.code, error.message);
    onError(error);
    return failure(id, -32603, 'Internal error');
  }
}

const failure = (id: unknown, code: number, message: string) => ({
  jsonrpc: '2.0',
  id,
  error: { code, message },
});

function parsed(body: string): unknown {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
