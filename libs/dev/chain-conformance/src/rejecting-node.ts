import { HttpServer, type HttpReply, type SeenRequest } from '@tollbridge/testing';

/** A rejection by a node or its gateway, without the id of the request. */
export interface Rejection {
  name: string;
  reply(ids: readonly unknown[]): HttpReply;
}

const html = { 'content-type': 'text/html' };
const rpcError =
  (code: number, message: string, beside: object = {}) =>
  (ids: readonly unknown[]) => {
    const replies = ids.map((id) => ({ jsonrpc: '2.0', id, ...beside, error: { code, message } }));
    return { body: replies.length === 1 ? replies[0] : replies };
  };

/** Providers' responses to a range that is too large, a block that is too old, and a rate limit. */
export const rejections: readonly Rejection[] = [
  {
    name: 'error -32005 about a limit',
    reply: rpcError(-32_005, 'please limit the query to at most 1000 blocks'),
  },
  {
    name: 'error 35 about a plan',
    reply: rpcError(35, 'ranges over 10000 blocks are not supported on the free plan'),
  },
  { name: 'error -32000 about a result', reply: rpcError(-32_000, 'logs matched by query exceeds limit') },
  { name: 'a deadline error', reply: rpcError(-32_000, 'context deadline exceeded') },
  { name: 'an error with an empty result', reply: rpcError(-32_614, 'nope', { result: [] }) },
  {
    name: 'an error that mentions a missing block',
    reply: rpcError(-32_602, 'invalid block range: ask for fewer blocks'),
  },
  { name: 'an error that mentions a revert', reply: rpcError(3, 'reverted to the free plan') },
  { name: 'a closed connection', reply: () => ({ half: '{' }) },
  { name: 'status 413', reply: () => ({ status: 413, headers: html, body: '<h1>Too large</h1>' }) },
  { name: 'status 422', reply: () => ({ status: 422, body: { detail: 'limit: too high' } }) },
  { name: 'status 429 without a body', reply: () => ({ status: 429, body: '' }) },
  {
    name: 'status 503 with an HTML page',
    reply: () => ({ status: 503, headers: html, body: '<h1>Busy</h1>' }),
  },
  { name: 'an HTML page instead of JSON', reply: () => ({ headers: html, body: '<h1>Hello</h1>' }) },
];

/** A proxy for a real node. Rejects every range of more than `atMost` blocks or items. */
export class RejectingNode {
  rejected = 0;

  private constructor(
    readonly url: string,
    private readonly server: HttpServer,
  ) {}

  static async start(nodeUrl: string, atMost: number, rejection: Rejection): Promise<RejectingNode> {
    const { origin, pathname } = new URL(nodeUrl);
    const server = await HttpServer.start((request) => {
      if (rangeOf(request) <= atMost) return forward(origin, request);
      node.rejected += 1;
      return rejection.reply(idsOf(request));
    });
    const node = new RejectingNode(`${server.url}${pathname.replace(/\/$/, '')}`, server);
    return node;
  }

  close(): Promise<void> {
    return this.server.close();
  }
}

interface RpcBody {
  id: unknown;
  method?: string;
  params?: unknown;
  query?: string;
}

const bodiesOf = ({ body }: SeenRequest): RpcBody[] => (body === '' ? [] : [JSON.parse(body)].flat());

const idsOf = (request: SeenRequest): unknown[] => bodiesOf(request).map(({ id }) => id);

/** Number of blocks or items in a request, in the wire protocols of all families; 0 for a request without a range. */
function rangeOf(request: SeenRequest): number {
  const items = Number(request.query.get('limit') ?? 0);
  return Math.max(items, ...bodiesOf(request).map(rangeOfBody), 0);
}

function rangeOfBody({ method, params, query }: RpcBody): number {
  if (query !== undefined) return Number(/\bevents\(first: (\d+)/.exec(query)?.[1] ?? 0);
  if (method === 'eth_getLogs') {
    const [{ fromBlock, toBlock }] = params as [{ fromBlock: string; toBlock: string }];
    return Number(toBlock) - Number(fromBlock) + 1;
  }
  if (method === 'getSignaturesForAddress') return (params as [string, { limit: number }])[1].limit;
  return method === 'getTransactions' ? (params as { limit: number }).limit : 0;
}

async function forward(origin: string, { method, path, query, body }: SeenRequest): Promise<HttpReply> {
  const search = query.size === 0 ? '' : `?${query.toString()}`;
  const response = await fetch(`${origin}${path}${search}`, {
    method,
    headers: { 'content-type': 'application/json' },
    ...(body !== '' && { body }),
  });
  const type = response.headers.get('content-type') ?? 'application/json';
  return {
    status: response.status,
    headers: { 'content-type': type },
    body: Buffer.from(await response.arrayBuffer()),
  };
}
