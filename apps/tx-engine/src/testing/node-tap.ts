import { startHttpServer, type HttpReply } from '@tollbridge/testing';

interface Asked {
  id: number;
  method: string;
  params: unknown[];
}

/** Replaces the node's reply; undefined forwards the call to the node. */
type Instead = (
  asked: Asked,
) => { result: unknown } | { error: { code: number; message: string } } | undefined;

/** Changes the result that the node returned. */
export type Rewrite = (result: any, method: string, params: unknown[]) => unknown;

/** A proxy of a real node: records every call, replaces or rewrites some replies, and simulates outages. */
export class NodeTap {
  readonly asked: Asked[] = [];
  mode: 'up' | 'down' | 'slow' = 'up';
  instead: Instead = () => undefined;
  rewrite: Rewrite = (result) => result;

  private constructor(
    private readonly nodeUrl: string,
    readonly url: string,
    readonly close: () => Promise<void>,
  ) {}

  static async to(nodeUrl: string): Promise<NodeTap> {
    const server = await startHttpServer(() => ({}));
    const tap = new NodeTap(nodeUrl, server.url, () => server.close());
    server.answer = ({ body }) => tap.answer(body);
    return tap;
  }

  /** Returns how often a method was called. */
  count(method: string): number {
    return this.asked.filter((it) => it.method === method).length;
  }

  /** Replies like a node that does not support these methods. */
  without(...methods: string[]): void {
    this.instead = ({ method }) =>
      methods.includes(method)
        ? { error: { code: -32601, message: `the method ${method} does not exist/is not available` } }
        : undefined;
  }

  passThrough(): void {
    this.mode = 'up';
    this.instead = () => undefined;
    this.rewrite = (result) => result;
  }

  private async answer(body: string): Promise<HttpReply> {
    if (this.mode === 'down') return { status: 503 };
    if (this.mode === 'slow') return { silent: true };
    const parsed = JSON.parse(body) as Asked | Asked[];
    const all = [parsed].flat();
    this.asked.push(...all);
    const own = new Map(all.map((one) => [one.id, this.instead(one)]));
    const rest = all.filter(({ id }) => own.get(id) === undefined);
    const answered = rest.length > 0 ? await this.forward(rest) : [];
    const replies = all.map(({ id, method, params }) => {
      const instead = own.get(id);
      if (instead) return { jsonrpc: '2.0', id, ...instead };
      const reply = answered.find((it) => it.id === id)!;
      return 'result' in reply ? { ...reply, result: this.rewrite(reply.result, method, params) } : reply;
    });
    return { body: Array.isArray(parsed) ? replies : replies[0] };
  }

  private async forward(requests: Asked[]): Promise<{ id: number; result?: unknown }[]> {
    const reply = await fetch(this.nodeUrl, {
      method: 'POST',
      body: JSON.stringify(requests),
      headers: { 'content-type': 'application/json' },
    });
    return (await reply.json()) as { id: number; result?: unknown }[];
  }
}
