import { features, maxWaitSeconds, smsApi } from '@tollbridge/contracts';
import type { CallContext, Operation } from '@tollbridge/rpc';
import { eventually } from '@tollbridge/testing';
import { RawConnection } from '../testing/raw-connection';
import { failureIds, GatewayHarness } from '../testing/gateway-harness';
import { httpLimits, type HttpLimits } from './gateway-adapter';

let harness: GatewayHarness;
let port: number;

async function listen(limits?: Partial<HttpLimits>): Promise<void> {
  harness = await GatewayHarness.open({ ...(limits && { limits }) });
  port = await harness.listen();
}

const open = (): Promise<RawConnection> => RawConnection.open(port);
const get = (path: string): string => `GET ${path} HTTP/1.1\r\nhost: gateway\r\n\r\n`;
const post = (body: string, ...headers: string[]): string =>
  ['POST /v1/samples HTTP/1.1', 'host: gateway', 'content-type: application/json', ...headers, '', body].join(
    '\r\n',
  );
const bodyOf = (reply: string): any => JSON.parse(reply.slice(reply.indexOf('\r\n\r\n') + 4));
// An upper bound on a busy machine. The production limits start at 10 seconds and would take longer.
const soonSeconds = 9;
const secondsOf = async (work: () => Promise<unknown>): Promise<number> => {
  const startedMs = performance.now();
  await work();
  return (performance.now() - startedMs) / 1000;
};

afterEach(async () => {
  harness.server.server.closeAllConnections();
  await harness.close();
});

describe('a request with a second Host header', () => {
  beforeEach(() => listen());

  it.each(['gateway', 'elsewhere'])('returns 400: %s', async (second) => {
    const connection = await open();
    connection.send(`GET /samples HTTP/1.1\r\nhost: gateway\r\nHOST: ${second}\r\n\r\n`);
    await eventually(() => expect(connection.received).toMatch(/^HTTP\/1\.1 400 [^]*\r\n\r\n\{.*\}$/));
    expect(bodyOf(connection.received)).toEqual({
      error: 'The request has more than one Host header. Send exactly one.',
      code: 'VALIDATION_ERROR',
      ...failureIds('VALIDATION_ERROR'),
    });
    expect(harness.calls).toEqual([]);
  });
});

describe('a body', () => {
  beforeEach(() => listen());

  it('rejects a body above 256 KiB before it has been sent', async () => {
    const connection = await open();
    connection.send(post('{"name":"', `content-length: ${100 * 1024 * 1024}`));
    await eventually(() => expect(connection.received).toMatch(/^HTTP\/1\.1 413 /));
    await eventually(() => expect(connection.isClosed).toBe(true));
  });

  it('rejects a body above 256 KiB in chunks', async () => {
    const connection = await open();
    connection.send(post('', 'transfer-encoding: chunked'));
    const chunk = `8000\r\n${'x'.repeat(0x8000)}\r\n`;
    for (let sent = 0; sent < 9; sent++) connection.send(chunk);
    await eventually(() => expect(connection.received).toMatch(/^HTTP\/1\.1 413 /));
    const [, body] = connection.received.split('\r\n\r\n');
    expect(JSON.parse(body!)).toMatchObject({ success: false, error: { code: 'PAYLOAD_TOO_LARGE' } });
    expect(harness.calls).toEqual([]);
  });

  it('does not reach a service when it is shorter than announced', async () => {
    const connection = await open();
    connection.send(post('{"name":"cut"}', 'content-length: 500'));
    const other = await open();
    other.send(post('{"name":"whole"}', 'content-length: 16'));
    await eventually(() => expect(other.received).toMatch(/^HTTP\/1\.1 200 /));
    connection.abort();
    other.send(post('{"name":"again"}', 'content-length: 16'));
    await eventually(() => expect(harness.calls).toHaveLength(2));
    expect(harness.calls.map(({ json }) => json)).toEqual(['{"name":"whole"}', '{"name":"again"}']);
  });

  it('reaches the service in any number of pieces', async () => {
    const connection = await open();
    connection.send(post('', 'content-length: 12'));
    for (const piece of '{"name":"x"}') connection.send(piece);
    await eventually(() => expect(connection.received).toMatch(/^HTTP\/1\.1 200 /));
    expect(harness.calls[0]!.json).toBe('{"name":"x"}');
  });
});

describe('an unreadable request', () => {
  beforeEach(() => listen());

  it.each([
    ['garbage', 'hello\r\n\r\n'],
    ['a path with a NUL', 'GET /\0 HTTP/1.1\r\nhost: x\r\n\r\n'],
    ['no host', 'GET /samples HTTP/1.1\r\n\r\n'],
    ['two lengths', post('{}', 'content-length: 2', 'content-length: 3')],
    ['a length and chunks', post('{}', 'content-length: 2', 'transfer-encoding: chunked')],
    ['a bad chunk', post('zz\r\n{}\r\n', 'transfer-encoding: chunked')],
    [
      'a header that continues in the next line',
      'GET /samples HTTP/1.1\r\nhost: x\r\nx: 1\r\n\n y: 2\r\n\r\n',
    ],
  ])('causes 400 and closes the connection: %s', async (_name, text) => {
    const connection = await open();
    connection.send(text);
    await eventually(() => expect(connection.isClosed).toBe(true));
    expect(connection.received).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    expect(connection.received.match(/HTTP\/1\.1/g)).toHaveLength(1);
    expect(harness.calls).toEqual([]);
  });

  it('causes a failure in the format of the API, with a request id that is logged', async () => {
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
    expect(harness.logged).toEqual([expect.objectContaining({ requestId })]);
  });

  it('causes 431 for headers above 16 KiB', async () => {
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
    ['sends nothing', ''],
    ['does not end its headers', 'GET /samples HTTP/1.1\r\nhost: x\r\n'],
    ['does not end its body', post('{"name":', 'content-length: 12')],
  ])('disconnects a sender within limited time when it %s', async (_name, text) => {
    const connection = await open();
    if (text !== '') connection.send(text);
    expect(await secondsOf(() => eventually(() => expect(connection.isClosed).toBe(true)))).toBeLessThan(
      soonSeconds,
    );
    expect(connection.received).toMatch(/^HTTP\/1\.1 408 Request Timeout.*"REQUEST_TIMEOUT"/s);
    expect(harness.calls).toEqual([]);
  });

  it('disconnects a sender that sends single bytes slowly', async () => {
    const connection = await open();
    connection.send('GET /samples HTTP/1.1\r\nhost: x\r\n');
    const drip = setInterval(() => connection.send('x: 1\r\n'), 50);
    expect(await secondsOf(() => eventually(() => expect(connection.isClosed).toBe(true)))).toBeLessThan(
      soonSeconds,
    );
    clearInterval(drip);
  });
});

describe('a client while others send slowly', () => {
  it('receives a reply while 200 clients send slowly', async () => {
    // The slow clients stay connected for longer than the test waits.
    await listen({ headersTimeoutMs: 120_000, requestTimeoutMs: 120_000 });
    await Promise.all(
      Array.from({ length: 200 }, async () => (await open()).send('GET /samples HTTP/1.1\r\n')),
    );
    const connection = await open();
    connection.send(get('/samples'));
    await eventually(() => expect(connection.received).toMatch(/^HTTP\/1\.1 200 /));
  });

  it('keeps the connection of a client that waits for a slow reply', async () => {
    // On a busy machine, the request itself takes a while to arrive.
    await listen({ headersTimeoutMs: 2_000, requestTimeoutMs: 2_100, checkIntervalMs: 50 });
    harness.answer = () => new Promise((resolve) => setTimeout(() => resolve('{"id":"late"}'), 2_500));
    const connection = await open();
    connection.send(get('/samples'));
    await eventually(() => expect(connection.received).toContain('{"id":"late"}'));
  });
});

describe('a silent connection', () => {
  it('closes a connection without traffic', async () => {
    await listen({ silenceTimeoutMs: 200 });
    harness.answer = () => new Promise(() => undefined);
    const connection = await open();
    connection.send(get('/samples'));
    expect(await secondsOf(() => eventually(() => expect(connection.isClosed).toBe(true)))).toBeLessThan(
      soonSeconds,
    );
  });
});

describe('the connection of a waiting call', () => {
  it('stays open while the call waits, and closes when it is idle after the next request', async () => {
    await listen({ silenceTimeoutMs: 200 });
    harness.answer = () => new Promise((resolve) => setTimeout(() => resolve('{"id":"late"}'), 800));
    const connection = await open();
    connection.send(get('/samples/next'));
    await eventually(() => expect(connection.received).toContain('{"id":"late"}'));
    harness.answer = () => new Promise(() => undefined);
    connection.send(get('/samples'));
    expect(await secondsOf(() => eventually(() => expect(connection.isClosed).toBe(true)))).toBeLessThan(
      soonSeconds,
    );
  });

  it('allows the longest wait of every operation', () => {
    const all = features.flatMap(({ operations }) => Object.values(operations) as Operation[]);
    const silent = all.filter(
      ({ endsWithCaller, timeoutMs }) => !endsWithCaller && timeoutMs >= httpLimits.silenceTimeoutMs,
    );
    expect(silent.map(({ subject }) => subject)).toEqual([]);
    expect(smsApi.operations.awaitCode.timeoutMs).toBeGreaterThan(maxWaitSeconds * 1_000);
  });
});

describe('a request of a client that disconnects before the reply', () => {
  it('appears in log and metrics with status 499', async () => {
    await listen();
    harness.answer = () => new Promise(() => undefined);
    const connection = await open();
    connection.send(get('/samples'));
    await eventually(() => expect(harness.calls).toHaveLength(1));
    connection.abort();
    await eventually(() => expect(harness.logged).toHaveLength(1));
    const { requestId } = harness.calls[0]!.context;
    expect(harness.logged).toEqual([expect.objectContaining({ route: '/samples', status: 499, requestId })]);
    expect(await harness.metrics.registry.metrics()).toMatch(
      /http_route="\/samples",http_response_status_code="499".* 1\n/,
    );
  });
});

describe('a graceful stop', () => {
  let release: () => void;
  let gate: Promise<void>;
  let stopped: Promise<void>;
  let isStopped: boolean;

  beforeEach(async () => {
    await listen();
    gate = new Promise<void>((resolve) => (release = resolve));
    harness.answer = async ({ json }) => {
      if (json.includes('slow')) await gate;
      return '{"id":"sample-1"}';
    };
  });

  /** Starts a request that is answered on release. Until then the server keeps all connections open. */
  const holdOpen = async (): Promise<void> => {
    const before = harness.calls.length;
    (await open()).send(get('/samples?name=slow'));
    await eventually(() => expect(harness.calls.length).toBeGreaterThan(before));
  };
  const stop = (): void => {
    isStopped = false;
    stopped = harness.close();
    void stopped.then(() => (isStopped = true));
  };
  const untilRejected = (): Promise<void> =>
    eventually(async () => {
      const connection = await open().catch((error: NodeJS.ErrnoException) => error);
      if (connection instanceof RawConnection) connection.abort();
      expect(connection).toMatchObject({ code: 'ECONNREFUSED' });
    });

  it('waits for a request in progress, and rejects new connections', async () => {
    const running = await open();
    running.send(get('/samples?name=slow'));
    await eventually(() => expect(harness.calls).toHaveLength(1));
    stop();
    await untilRejected();
    // Longer than idle connections stay open.
    await new Promise((resolve) => setTimeout(resolve, 700));
    expect(isStopped).toBe(false);
    expect(running.received).toBe('');
    release();
    await stopped;
    await eventually(() => expect(running.isClosed).toBe(true));
    expect(running.received).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(running.received).toContain('{"id":"sample-1"}');
  });

  it('serves the next request of an open connection, then closes the connection', async () => {
    const connection = await open();
    connection.send(get('/samples'));
    await eventually(() => expect(connection.received).toMatch(/connection: keep-alive/i));
    stop();
    connection.send(get('/samples'));
    await eventually(() => expect(connection.isClosed).toBe(true));
    expect(connection.received.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(2);
    expect(connection.received).toMatch(/\r\nconnection: close\r\n/i);
    await stopped;
  });

  it('ends waiting calls with a reply, including calls that arrive during the shutdown', async () => {
    const answers: (() => void)[] = [];
    harness.answer = async ({ json }) => {
      await (json.includes('slow') ? gate : new Promise<void>((resolve) => answers.push(resolve)));
      return '{"id":"sample-1"}';
    };
    harness.endWaitingCalls = () => answers.splice(0).forEach((answer) => answer());
    const [waiting, kept] = [await open(), await open()];
    waiting.send(get('/samples/next'));
    await eventually(() => expect(answers).toHaveLength(1));
    await holdOpen();
    stop();
    await eventually(() => expect(waiting.received).toMatch(/^HTTP\/1\.1 200 OK/));
    kept.send(get('/samples/next'));
    await eventually(() => expect(kept.received).toMatch(/^HTTP\/1\.1 200 OK/));
    release();
    await stopped;
  });

  it('ends immediately without connections', async () => {
    expect(await secondsOf(async () => (stop(), stopped))).toBeLessThan(soonSeconds);
  });

  it.each([
    ['never sent anything', ''],
    ['is idle', get('/samples')],
    ['never finishes its request', 'GET /samples HTTP/1.1\r\n'],
  ])('does not wait for a connection that %s', async (_name, text) => {
    const connection = await open();
    if (text !== '') connection.send(text);
    if (text.endsWith('\r\n\r\n')) await eventually(() => expect(connection.received).not.toBe(''));
    expect(await secondsOf(async () => (stop(), stopped))).toBeLessThan(soonSeconds);
    await eventually(() => expect(connection.isClosed).toBe(true));
  });

  it('does not wait for a client that has disconnected', async () => {
    const gone = await open();
    gone.send(get('/samples?name=slow'));
    await eventually(() => expect(harness.calls).toHaveLength(1));
    const idle = await open();
    gone.abort();
    expect(await secondsOf(async () => (stop(), stopped))).toBeLessThan(soonSeconds);
    expect(idle.received).toBe('');
  });

  it('loses no request of keep-alive connections under load', async () => {
    const statuses: number[] = [];
    const failures: string[] = [];
    const caller = async (): Promise<void> => {
      for (;;) {
        try {
          const reply = await fetch(`http://127.0.0.1:${port}/samples`);
          statuses.push(reply.status);
          await reply.arrayBuffer();
        } catch (error) {
          const { code } = (error as { cause: { code: string } }).cause;
          // The server has stopped listening, and a load balancer would use another gateway.
          if (code === 'ECONNREFUSED') return;
          failures.push(code);
          return;
        }
      }
    };
    const callers = Promise.all(Array.from({ length: 20 }, caller));
    await holdOpen();
    await eventually(() => expect(statuses.length).toBeGreaterThan(200));
    stop();
    await callers;
    release();
    await stopped;
    expect(failures).toEqual([]);
    expect(new Set(statuses)).toEqual(new Set([200]));
  });
});

describe('a client that disconnects', () => {
  beforeEach(() => listen());

  it('aborts the call of an operation that ends with its client', async () => {
    const waiting: CallContext[] = [];
    harness.answer = ({ context }) => {
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

  it('does not abort a call that was answered', async () => {
    let signal: AbortSignal | undefined;
    harness.answer = async ({ context }) => {
      signal = context.signal;
      return '{}';
    };
    await (await fetch(`http://127.0.0.1:${port}/samples/next`)).text();
    harness.server.server.closeAllConnections();
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(signal?.aborted).toBe(false);
  });
});
