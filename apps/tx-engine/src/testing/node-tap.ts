import { startHttpServer, type HttpServer } from '@tollbridge/testing';

interface Asked {
  id: number;
  method: string;
  params: unknown[];
}

/** Instead of what the node answers. */
export type Rewrite = (result: any, method: string, params: unknown[]) => unknown;

/** A wire to a node on which a test counts the requests, changes the results, and is able to cut. */
export class NodeTap {
  /** null passes everything through. */
  rewrite: Rewrite | null = null;
  isCut = false;
  /** HTTP requests, and calls in them. */
  requests = 0;
  calls = 0;

  private constructor(private readonly server: HttpServer) {}

  static async open(nodeUrl: string): Promise<NodeTap> {
    const server = await startHttpServer(() => ({}));
    const tap = new NodeTap(server);
    server.answer = async ({ body }) => {
      // Remembering them all is for tests of a few.
      server.requests.length = 0;
      tap.requests++;
      if (tap.isCut) return { status: 503, body: 'down' };
      const asked = JSON.parse(body) as Asked | Asked[];
      tap.calls += [asked].flat().length;
      const reply = await fetch(nodeUrl, {
        method: 'POST',
        body,
        headers: { 'content-type': 'application/json' },
      });
      const answers = (await reply.json()) as { id: number; result?: unknown } | { id: number }[];
      return { body: tap.changed(asked, answers) };
    };
    return tap;
  }

  get url(): string {
    return this.server.url;
  }

  close(): Promise<void> {
    return this.server.close();
  }

  private changed(asked: Asked | Asked[], answers: unknown): unknown {
    const { rewrite } = this;
    if (!rewrite) return answers;
    const byId = new Map([asked].flat().map((it) => [it.id, it]));
    const change = (answer: { id: number; result?: unknown }) => {
      const { method, params } = byId.get(answer.id)!;
      return 'result' in answer ? { ...answer, result: rewrite(answer.result, method, params) } : answer;
    };
    return Array.isArray(answers) ? answers.map(change) : change(answers as { id: number });
  }
}
