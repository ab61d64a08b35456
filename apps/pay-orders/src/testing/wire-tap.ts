import { startHttpServer, type HttpReply, type HttpServer, type SeenRequest } from '@tollbridge/testing';

/** Returns the reply of the server behind the proxy. */
type Forward = () => Promise<{ status: number; body: string }>;

/** A proxy in front of a real HTTP server. A test sees every request, and can delay or change the replies. */
export interface WireTap {
  url: string;
  readonly requests: HttpServer['requests'];
  /** Replaces the replies of the server. */
  answer(how: (request: SeenRequest, forward: Forward) => Promise<HttpReply>): void;
  passThrough(): void;
  close(): Promise<void>;
}

export async function tapWire(targetUrl: string): Promise<WireTap> {
  const forwarded = (request: SeenRequest): Forward => {
    const query = request.query.size > 0 ? `?${request.query}` : '';
    return async () => {
      const reply = await fetch(`${targetUrl}${request.path === '/' ? '' : request.path}${query}`, {
        method: request.method,
        ...(request.body && { body: request.body, headers: { 'content-type': 'application/json' } }),
      });
      return { status: reply.status, body: await reply.text() };
    };
  };
  const server = await startHttpServer((request) => forwarded(request)());
  return {
    url: server.url,
    requests: server.requests,
    answer: (how) => (server.answer = (request) => how(request, forwarded(request))),
    passThrough: () => (server.answer = (request) => forwarded(request)()),
    close: () => server.close(),
  };
}
