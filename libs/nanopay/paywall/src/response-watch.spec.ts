import { createServer, get, type ClientRequest, type ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { Grant } from './grant';
import type { StoredResponse } from './response-store';
import { watchResponse } from './response-watch';

interface Watched {
  refund?: () => Promise<undefined>;
  keep?: (response: StoredResponse | undefined) => void;
  release?: () => void;
}

/** Runs a handler and returns the response that reaches the client. */
async function answer(
  handle: (response: ServerResponse) => void,
  { refund = async () => undefined, keep, release }: Watched = {},
  before: (response: ServerResponse) => void = () => undefined,
) {
  const server = createServer((_request, response) => {
    before(response);
    const source = {
      refund,
      isRefunded: (status: number) => status >= 500,
      ...(keep ? { keep } : {}),
      ...(release ? { release } : {}),
    };
    watchResponse(response, new Grant({} as never, { 'PAYMENT-RESPONSE': 'paid' }, source));
    handle(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  try {
    const response = await fetch(`http://127.0.0.1:${port}`);
    return { status: response.status, text: await response.text(), headers: response.headers };
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

it('sends a response that is written in parts', async () => {
  const { text, headers } = await answer((response) => void Readable.from(['a', 'b', 'c']).pipe(response));
  expect(text).toBe('abc');
  expect(headers.get('payment-response')).toBe('paid');
});

it('delays a failed response until the refund is complete, without losing a part of it', async () => {
  let isRefunded = false;
  const refund = async () => {
    await new Promise((resolve) => setTimeout(resolve, 30));
    isRefunded = true;
    return undefined;
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

it('stores the response of the handler, without changes of other layers', async () => {
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

it('does not store a response that is too long', async () => {
  const kept: (StoredResponse | undefined)[] = [];
  const long = 'x'.repeat(70_000);
  const { text } = await answer((response) => response.end(long), {
    keep: (response) => kept.push(response),
  });
  expect(text).toBe(long);
  expect(kept).toEqual([undefined]);
});

it('releases a call once when its handler destroys the response, unless it is complete', async () => {
  let released = 0;
  const watched = { keep: () => undefined, release: () => void released++ };
  const destroyed = answer((response) => void response.destroy().destroy(), watched);
  await expect(destroyed).rejects.toThrow('fetch failed');
  expect(released).toBe(1);
  const { text } = await answer((response) => {
    response.once('finish', () => response.destroy());
    response.end('all');
  }, watched);
  expect([text, released]).toEqual(['all', 1]);
});

it('stores the response of a call when its client has disconnected', async () => {
  let released = 0;
  const kept: (StoredResponse | undefined)[] = [];
  let client: ClientRequest | undefined;
  await new Promise<void>((resolve) => {
    const server = createServer((_request, response) => {
      const source = {
        refund: async () => undefined,
        isRefunded: () => false,
        keep: (response?: StoredResponse) => void kept.push(response),
        release: () => void released++,
      };
      watchResponse(response, new Grant({} as never, {}, source));
      response.once('close', () => {
        response.end('late');
        server.close(() => resolve());
      });
      client?.destroy();
    }).listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      client = get({ host: '127.0.0.1', port }).on('error', () => undefined);
    });
  });
  expect(kept[0]!.body.toString()).toBe('late');
  expect(released).toBe(0);
});
