import type { SendHttp } from '@tollbridge/http';

export const hashOf = (height: number): string =>
  `${height.toString(16).padStart(16, '0')}${'ab'.repeat(24)}`;

const hex = (value: number): string => `0x${value.toString(16)}`;

/**
 * A node in memory with Tron's JSON-RPC, and with answers below `wallet/` that a test sets. Tests can make any part of
 * it fail.
 */
export class FakeNode {
  height = 100;
  chainId = 0x2b6653dc;
  isDead = false;
  /** Replaces the whole answer to a path. */
  readonly answers = new Map<string, { status?: number; body: string }>();
  /** Replaces results of JSON-RPC methods. */
  readonly results = new Map<string, unknown>();
  /** Errors that JSON-RPC methods return. */
  readonly errors = new Map<string, { code: number; message: string }>();
  readonly asked: { url: URL; headers: Readonly<Record<string, string>>; methods: string[] }[] = [];

  handle: SendHttp = async (address, { headers, body }) => {
    if (this.isDead) throw new TypeError('fetch failed', { cause: { code: 'ECONNREFUSED' } });
    const url = new URL(address);
    const path = url.pathname.slice(1);
    const requests = [JSON.parse(String(body))].flat() as { id: number; method: string; params: unknown[] }[];
    const isRpc = path === 'jsonrpc';
    this.asked.push({
      url,
      headers: headers ?? {},
      methods: isRpc ? requests.map((it) => it.method) : [path],
    });
    const given = this.answers.get(path);
    if (given) return new Response(given.body, { status: given.status ?? 200 });
    if (!isRpc) return Response.json({});
    const replies = requests.map((it) => {
      const error = this.errors.get(it.method);
      return { jsonrpc: '2.0', id: it.id, ...(error ? { error } : { result: this.result(it) }) };
    });
    return Response.json(replies.length === 1 ? replies[0] : replies);
  };

  count(method: string): number {
    return this.asked.flatMap(({ methods }) => methods).filter((it) => it === method).length;
  }

  private result({ method, params }: { method: string; params: unknown[] }): unknown {
    if (this.results.has(method)) return this.results.get(method);
    if (method === 'eth_chainId') return hex(this.chainId);
    if (method === 'eth_getLogs') return [];
    if (method !== 'eth_getBlockByNumber') return null;
    const height = params[0] === 'latest' ? this.height : Number(params[0]);
    if (height > this.height) return null;
    return {
      number: hex(height),
      hash: `0x${hashOf(height)}`,
      parentHash: `0x${hashOf(height - 1)}`,
      timestamp: hex(1_800_000_000 + height * 3),
    };
  }
}

/** Routes each request to the node of its host. */
export const fetchFrom =
  (nodes: Readonly<Record<string, FakeNode>>): SendHttp =>
  (url, request) =>
    nodes[new URL(url).hostname]!.handle(url, request);
