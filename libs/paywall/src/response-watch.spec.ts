import { createServer, type ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { Grant } from './grant';
import type { StoredResponse } from './response-store';
import { watchResponse } from './response-watch';

interface Watched {
  refund?: () => Promise<{ status: 'none' }>;
  keep?: (response: StoredResponse | undefined) => void;
}

/** What a handler answers, and what reaches the client. */
async function answer(
  handle: (response: ServerResponse) => void,
  { refund = async () => ({ status: 'none' }), keep }: Watched = {},
  before: (response: ServerResponse) => void = () => undefined,
) {
  const server = createServer((_request, response) => {
    before(response);
    const source = { refund, isRefunded: (status: number) => status >= 500, ...(keep ? { keep } : {}) };
    watchResponse(response, new Grant({} as never, { 'PAYMENT-RESPONSE': 'paid' }, {} as never, source));
    handle(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  const response = await fetch(`http://127.0.0.1:${port}`);
  const text = await response.text();
  server.closeAllConnections();
  server.close();
  return { status: response.status, text, headers: response.headers };
}

it('lets pass what is written in parts', async () => {
  const { text, headers } = await answer((response) => void Readable.from(['a', 'b', 'c']).pipe(response));
  expect(text).toBe('abc');
  expect(headers.get('payment-response')).toBe('paid');
});

it('holds a stream of failure until the payment has been given back, and loses none of it', async () => {
  let isRefunded = false;
  const refund = async () => {
    await new Promise((resolve) => setTimeout(resolve, 30));
    isRefunded = true;
    return { status: 'none' as const };
  };
  const parts = Array.from({ length: 100 }, (_, at) => `${at};`);
  const { status, text } = await answer(
    (response) => {
      response.statusCode = 502;
      Readable.from(parts).pipe(response);
    },
    { refund },
  );
  expect({ status, text, isRefunded }).toEqual({ status: 502, text: parts.join(''), isRefunded: true });
});

it('keeps a copy of what was said, not of what others below and above made of it', async () => {
  const kept: (StoredResponse | undefined)[] = [];
  const { text, headers } = await answer(
    (response) => {
      const { writeHead } = response;
      response.writeHead = function (this: ServerResponse, ...rest: any[]) {
        this.setHeader('X-Above', 'yes');
        return writeHead.apply(this, rest as never);
      } as never;
      response.setHeader('Content-Type', 'text/plain');
      response.write('one ');
      response.end('two');
    },
    { keep: (response) => kept.push(response) },
    (response) => {
      const { write, end, writeHead } = response;
      const shout = (chunk: unknown) => (typeof chunk === 'string' ? chunk.toUpperCase() : chunk);
      response.write = function (this: ServerResponse, chunk: unknown) {
        return write.call(this, shout(chunk) as string, 'utf8');
      } as never;
      response.end = function (this: ServerResponse, chunk: unknown) {
        return end.call(this, shout(chunk), 'utf8');
      } as never;
      response.writeHead = function (this: ServerResponse, ...rest: any[]) {
        this.setHeader('X-Below', 'loud');
        return writeHead.apply(this, rest as never);
      } as never;
    },
  );
  expect(text).toBe('ONE TWO');
  expect([headers.get('x-above'), headers.get('x-below')]).toEqual(['yes', 'loud']);
  expect(kept).toHaveLength(1);
  expect(kept[0]!.body.toString()).toBe('one two');
  expect(kept[0]!.headers).toMatchObject({ 'content-type': 'text/plain', 'x-above': 'yes' });
  expect(kept[0]!.headers).not.toHaveProperty('x-below');
});

it('keeps nothing of what is too long', async () => {
  const kept: (StoredResponse | undefined)[] = [];
  const long = 'x'.repeat(70_000);
  const { text } = await answer((response) => response.end(long), {
    keep: (response) => kept.push(response),
  });
  expect(text).toBe(long);
  expect(kept).toEqual([undefined]);
});
