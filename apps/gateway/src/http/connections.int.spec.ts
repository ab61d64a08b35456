import { features, maxWaitSeconds, smsApi } from '@tollbridge/contracts';
import type { CallContext, Operation } from '@tollbridge/rpc';
import { eventually } from '@tollbridge/testing';
import type { AddressInfo } from 'node:net';
import { RawConnection } from '../testing/raw-connection';
import { failureIds, SampleFront } from '../testing/sample-front';
import { httpLimits, type HttpLimits } from './server';

// The last failure of what is waited for says more than a time-out of the test.
jest.setTimeout(30_000);

let front: SampleFront;
let port: number;

async function listen(limits?: Partial<HttpLimits>): Promise<void> {
  front = new SampleFront(limits);
  await front.server.listen({ port: 0, host: '127.0.0.1' });
  port = (front.server.server.address() as AddressInfo).port;
}

const open = (): Promise<RawConnection> => RawConnection.open(port);
const get = (path: string): string => `GET ${path} HTTP/1.1\r\nhost: gateway\r\n\r\n`;
const post = (body: string, ...headers: string[]): string =>
  ['POST /v1/samples HTTP/1.1', 'host: gateway', 'content-type: application/json', ...headers, '', body].join(
    '\r\n',
  );
const bodyOf = (reply: string): any => JSON.parse(reply.slice(reply.indexOf('\r\n\r\n') + 4));
const secondsOf = async (work: () => Promise<unknown>): Promise<number> => {
  const startedMs = performance.now();
  await work();
  return (performance.now() - startedMs) / 1000;
};

afterEach(async () => {
  front.server.server.closeAllConnections();
  await front.server.close();
});

describe('a request', () => {
  beforeEach(() => listen());

  it.each(['gateway', 'elsewhere'])('with a second Host header is refused: %s', async (second) => {
    const connection = await open();
    connection.send(`GET /samples HTTP/1.1\r\nhost: gateway\r\nHOST: ${second}\r\n\r\n`);
    await eventually(() => expect(connection.received).toMatch(/^HTTP\/1\.1 400 [^]*\r\n\r\n\{.*\}$/));
    expect(bodyOf(connection.received)).toEqual({
      error: 'The request has more than one Host header. Send exactly one.',
      code: 'VALIDATION_ERROR',
      ...failureIds('VALIDATION_ERROR'),
    });
    expect(front.calls).toEqual([]);
  });
});

describe('a body', () => {
  beforeEach(() => listen());

  it('of more than 256 KiB is refused before it was all sent', async () => {
    const connection = await open();
    connection.send(post('{"name":"', `content-length: ${100 * 1024 * 1024}`));
    await eventually(() => expect(connection.received).toMatch(/^HTTP\/1\.1 413 /));
    await eventually(() => expect(connection.isClosed).toBe(true));
  });

  it('of more than 256 KiB in chunks without an announced length is refused too', async () => {
    const connection = await open();
    connection.send(post('', 'transfer-encoding: chunked'));
    const chunk = `8000\r\n${'x'.repeat(0x8000)}\r\n`;
    for (let sent = 0; sent < 9; sent++) connection.send(chunk);
    await eventually(() => expect(connection.received).toMatch(/^HTTP\/1\.1 413 /));
    const [, body] = connection.received.split('\r\n\r\n');
    expect(JSON.parse(body!)).toMatchObject({ success: false, error: { code: 'PAYLOAD_TOO_LARGE' } });
    expect(front.calls).toEqual([]);
  });

  it('shorter than it was announced does not reach a service', async () => {
    const connection = await open();
    connection.send(post('{"name":"cut"}', 'content-length: 500'));
    const other = await open();
    other.send(post('{"name":"whole"}', 'content-length: 16'));
    await eventually(() => expect(other.received).toMatch(/^HTTP\/1\.1 200 /));
    connection.abort();
    other.send(post('{"name":"again"}', 'content-length: 16'));
    await eventually(() => expect(front.calls).toHaveLength(2));
    expect(front.calls.map(({ json }) => json)).toEqual(['{"name":"whole"}', '{"name":"again"}']);
  });

  it('may come in any number of pieces', async () => {
    const connection = await open();
    connection.send(post('', 'content-length: 12'));
    for (const piece of '{"name":"x"}') connection.send(piece);
    await eventually(() => expect(connection.received).toMatch(/^HTTP\/1\.1 200 /));
    expect(front.calls[0]!.json).toBe('{"name":"x"}');
  });
});

describe('what is no request', () => {
  beforeEach(() => listen());

  it.each([
    ['garbage', 'hello\r\n\r\n'],
    ['a path with a NUL', 'GET /\0 HTTP/1.1\r\nhost: x\r\n\r\n'],
    ['no host', 'GET /samples HTTP/1.1\r\n\r\n'],
    ['two lengths', post('{}', 'content-length: 2', 'content-length: 3')],
    ['a length and chunks', post('{}', 'content-length: 2', 'transfer-encoding: chunked')],
    ['a bad chunk', post('zz\r\n{}\r\n', 'transfer-encoding: chunked')],
    ['a header that goes on in the next line', 'GET /samples HTTP/1.1\r\nhost: x\r\nx: 1\r\n\n y: 2\r\n\r\n'],
  ])('is answered with 400 and hung up: %s', async (_name, text) => {
    const connection = await open();
    connection.send(text);
    await eventually(() => expect(connection.isClosed).toBe(true));
    expect(connection.received).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    expect(connection.received.match(/HTTP\/1\.1/g)).toHaveLength(1);
    expect(front.calls).toEqual([]);
  });

  it('is answered in our form, with a request id that the log knows', async () => {
    const connection = await open();
    connection.send('hello\r\n\r\n');
    await eventually(() => expect(connection.isClosed).toBe(true));
    expect(bodyOf(connection.received)).toEqual({
      error: 'The request is not valid HTTP. Check the client that sends it.',
      code: 'VALIDATION_ERROR',
      ...failureIds('VALIDATION_ERROR'),
    });
    expect(connection.received).toContain('\r\nx-content-type-options: nosniff\r\n');
    const requestId = /\r\nx-request-id: (\S+)\r\n/.exec(connection.received)![1];
    expect(front.logged).toEqual([expect.objectContaining({ requestId })]);
  });

  it('is headers of more than 16 KiB, which the reply says', async () => {
    const connection = await open();
    connection.send('GET /samples HTTP/1.1', `x: ${'x'.repeat(20_000)}`, '', '');
    await eventually(() => expect(connection.isClosed).toBe(true));
    expect(connection.received).toMatch(/^HTTP\/1\.1 431 Request Header Fields Too Large\r\n/);
    expect(bodyOf(connection.received)).toEqual({
      error: 'The URL and the headers are larger than 16 KiB together. Send shorter headers.',
      code: 'HEADERS_TOO_LARGE',
      ...failureIds('HEADERS_TOO_LARGE'),
    });
  });
});

describe('a slow sender', () => {
  beforeEach(() => listen({ headersTimeoutMs: 300, requestTimeoutMs: 600, checkIntervalMs: 50 }));

  it.each([
    ['says nothing', ''],
    ['does not end its headers', 'GET /samples HTTP/1.1\r\nhost: x\r\n'],
    ['does not end its body', post('{"name":', 'content-length: 12')],
  ])('is hung up in bounded time when it %s', async (_name, text) => {
    const connection = await open();
    if (text !== '') connection.send(text);
    expect(await secondsOf(() => eventually(() => expect(connection.isClosed).toBe(true)))).toBeLessThan(2);
    expect(connection.received).toMatch(/^HTTP\/1\.1 408 Request Timeout.*"REQUEST_TIMEOUT"/s);
    expect(front.calls).toEqual([]);
  });

  it('is hung up although it sends a little now and then', async () => {
    const connection = await open();
    connection.send('GET /samples HTTP/1.1\r\nhost: x\r\n');
    const drip = setInterval(() => connection.send('x: 1\r\n'), 50);
    expect(await secondsOf(() => eventually(() => expect(connection.isClosed).toBe(true)))).toBeLessThan(2);
    clearInterval(drip);
  });

  it('does not keep others from being served', async () => {
    await Promise.all(
      Array.from({ length: 200 }, async () => (await open()).send('GET /samples HTTP/1.1\r\n')),
    );
    const connection = await open();
    connection.send(get('/samples'));
    await eventually(() => expect(connection.received).toMatch(/^HTTP\/1\.1 200 /), { timeoutMs: 2_000 });
  });

  it('is not one whose reply takes longer', async () => {
    front.answer = () => new Promise((resolve) => setTimeout(() => resolve('{"id":"late"}'), 1_000));
    const connection = await open();
    connection.send(get('/samples'));
    await eventually(() => expect(connection.received).toContain('{"id":"late"}'));
  });
});

describe('a connection on which nothing moves', () => {
  it('is cut', async () => {
    await listen({ silenceTimeoutMs: 200 });
    front.answer = () => new Promise(() => undefined);
    const connection = await open();
    connection.send(get('/samples'));
    expect(await secondsOf(() => eventually(() => expect(connection.isClosed).toBe(true)))).toBeLessThan(2);
  });
});

describe('a connection of a call that waits', () => {
  it('is kept while the call waits, and is cut for silence after the next request', async () => {
    await listen({ silenceTimeoutMs: 200 });
    front.answer = () => new Promise((resolve) => setTimeout(() => resolve('{"id":"late"}'), 800));
    const connection = await open();
    connection.send(get('/samples/next'));
    await eventually(() => expect(connection.received).toContain('{"id":"late"}'));
    front.answer = () => new Promise(() => undefined);
    connection.send(get('/samples'));
    expect(await secondsOf(() => eventually(() => expect(connection.isClosed).toBe(true)))).toBeLessThan(2);
  });

  it('has time for the longest wait of every operation', () => {
    const all = features.flatMap(({ operations }) => Object.values(operations) as Operation[]);
    const silent = all.filter(
      ({ endsWithCaller, timeoutMs }) => !endsWithCaller && timeoutMs >= httpLimits.silenceTimeoutMs,
    );
    expect(silent.map(({ subject }) => subject)).toEqual([]);
    expect(smsApi.operations.awaitCode.timeoutMs).toBeGreaterThan(maxWaitSeconds * 1_000);
  });
});

describe('a caller who hangs up before the answer', () => {
  it('is logged and counted all the same', async () => {
    await listen();
    front.answer = () => new Promise(() => undefined);
    const connection = await open();
    connection.send(get('/samples'));
    await eventually(() => expect(front.calls).toHaveLength(1));
    connection.abort();
    await eventually(() => expect(front.logged).toHaveLength(1));
    const { requestId } = front.calls[0]!.context;
    expect(front.logged).toEqual([expect.objectContaining({ route: '/samples', status: 499, requestId })]);
    expect(await front.metrics.registry.metrics()).toMatch(/route="\/samples",status="499".* 1\n/);
  });
});

describe('the end', () => {
  let release: () => void;
  let stopped: Promise<void>;
  let isStopped: boolean;

  beforeEach(async () => {
    await listen();
    const gate = new Promise<void>((resolve) => (release = resolve));
    front.answer = async ({ json }) => {
      if (json.includes('slow')) await gate;
      return '{"id":"sample-1"}';
    };
  });

  const stop = (): void => {
    isStopped = false;
    stopped = front.front.stopping.stop(front.server.server, () => front.server.close());
    void stopped.then(() => (isStopped = true));
  };
  const untilRefused = (): Promise<void> =>
    eventually(async () => {
      const connection = await open().catch((error: NodeJS.ErrnoException) => error);
      if (connection instanceof RawConnection) connection.abort();
      expect(connection).toMatchObject({ code: 'ECONNREFUSED' });
    });

  it('waits for a request that is being answered, and refuses new connections meanwhile', async () => {
    const running = await open();
    running.send(get('/samples?name=slow'));
    await eventually(() => expect(front.calls).toHaveLength(1));
    stop();
    await untilRefused();
    // Longer than connections without a request are kept.
    await new Promise((resolve) => setTimeout(resolve, 700));
    expect(isStopped).toBe(false);
    expect(running.received).toBe('');
    release();
    await stopped;
    await eventually(() => expect(running.isClosed).toBe(true));
    expect(running.received).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(running.received).toContain('{"id":"sample-1"}');
  });

  it('serves what comes on a kept connection, and closes that behind it', async () => {
    const kept = await open();
    kept.send(get('/samples'));
    await eventually(() => expect(kept.received).toMatch(/connection: keep-alive/i));
    stop();
    kept.send(get('/samples'));
    await eventually(() => expect(kept.isClosed).toBe(true));
    expect(kept.received.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(2);
    expect(kept.received).toMatch(/\r\nconnection: close\r\n/i);
    await stopped;
  });

  it('is quick when nobody is there', async () => {
    expect(await secondsOf(async () => (stop(), stopped))).toBeLessThan(0.3);
  });

  it.each([
    ['never said anything', ''],
    ['is idle', get('/samples')],
    ['will not finish its request', 'GET /samples HTTP/1.1\r\n'],
  ])('does not wait for a connection that %s', async (_name, text) => {
    const connection = await open();
    if (text !== '') connection.send(text);
    if (text.endsWith('\r\n\r\n')) await eventually(() => expect(connection.received).not.toBe(''));
    expect(await secondsOf(async () => (stop(), stopped))).toBeLessThan(2);
    await eventually(() => expect(connection.isClosed).toBe(true));
  });

  it('does not wait for a caller who is gone', async () => {
    const gone = await open();
    gone.send(get('/samples?name=slow'));
    await eventually(() => expect(front.calls).toHaveLength(1));
    const idle = await open();
    gone.abort();
    expect(await secondsOf(async () => (stop(), stopped))).toBeLessThan(2);
    expect(idle.received).toBe('');
  });

  it('loses no request of callers who keep their connections under load', async () => {
    const statuses: number[] = [];
    const failures: string[] = [];
    let isOver = false;
    const caller = async (): Promise<void> => {
      while (!isOver) {
        try {
          const reply = await fetch(`http://127.0.0.1:${port}/samples`);
          statuses.push(reply.status);
          await reply.arrayBuffer();
        } catch (error) {
          const { code } = (error as { cause: { code: string } }).cause;
          // From here on nothing listens any more: a load balancer has other gateways.
          if (code === 'ECONNREFUSED') return;
          failures.push(code);
        }
      }
    };
    const callers = Promise.all(Array.from({ length: 20 }, caller));
    await eventually(() => expect(statuses.length).toBeGreaterThan(200));
    stop();
    await stopped;
    isOver = true;
    await callers;
    expect(failures).toEqual([]);
    expect(new Set(statuses)).toEqual(new Set([200]));
  });
});

describe('a caller who hangs up', () => {
  beforeEach(() => listen());

  it('tells the service when a caller has hung up, where its work ends with him', async () => {
    const waiting: CallContext[] = [];
    front.answer = ({ context }) => {
      waiting.push(context);
      return new Promise((resolve) => context.signal?.addEventListener('abort', () => resolve('{}')));
    };
    const leaving = new AbortController();
    const ask = (path: string) =>
      fetch(`http://127.0.0.1:${port}${path}`, { signal: leaving.signal }).catch(() => 'left');
    const asked = [ask('/samples/next'), ask('/samples?name=x')];
    await eventually(() => expect(waiting).toHaveLength(2));
    expect(waiting.map(({ signal }) => signal?.aborted).sort()).toEqual([false, undefined]);
    leaving.abort();
    expect(await Promise.all(asked)).toEqual(['left', 'left']);
    await eventually(() => expect(waiting.some(({ signal }) => signal?.aborted)).toBe(true));
  });

  it('tells nothing of a caller who was answered', async () => {
    let signal: AbortSignal | undefined;
    front.answer = async ({ context }) => {
      signal = context.signal;
      return '{}';
    };
    await (await fetch(`http://127.0.0.1:${port}/samples/next`)).text();
    front.server.server.closeAllConnections();
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(signal?.aborted).toBe(false);
  });
});
