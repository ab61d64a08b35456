import { BusClient } from './bus-client';
import { BusConnection } from './bus-connection';
import { BusServer, type BusServerHooks } from './bus-server';
import { callContext, ServerStopping } from '../calls/call-context';
import { DomainError } from '../errors/domain-error';
import { closing } from '../testing/closing';
import { eventually, openTcpLink, startRestrictedNats } from '../testing/servers';
import { developmentIdentity } from './service-identity';
import {
  gate,
  openShop,
  randomApp,
  sharedNatsUrl,
  shopApi,
  type Answer,
  type Respond,
  type Shop,
} from '../testing/shop';
import { encodeContext } from '../declarations/wire';

const url = sharedNatsUrl();
const hour = 3_600_000;

let bus: BusConnection;
let client: BusClient;
let app: string;
const { closeLater, closeAll } = closing();
/** Unblocks the handlers that a test blocks. */
let endOfTest = gate();

beforeAll(async () => {
  bus = await BusConnection.open({ app: randomApp(), url });
  client = new BusClient(bus, developmentIdentity('gateway'));
});

afterAll(async () => {
  client.close();
  await bus.close();
});

beforeEach(() => {
  app = randomApp();
  endOfTest = gate();
});

afterEach(async () => {
  endOfTest.open();
  await closeAll();
});

async function open(respond: Respond, hooks?: BusServerHooks): Promise<Shop> {
  return closeLater(await openShop(url, app, respond, hooks));
}

/** Starts a call with a time-out that is longer than the test. */
const ask = (text = 'tea?') => client.call({ ...shopApi(app).operations.ask, timeoutMs: hour }, { text });
const codeOf = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => 'OK',
    (error) => (error as DomainError).code,
  );

describe('BusServer in replicas', () => {
  it('delivers each request to one replica, and shares requests among all', async () => {
    const taken: string[][] = [[], []];
    for (const mine of taken) {
      await open(({ text }) => {
        mine.push(text);
        return { text };
      });
    }
    const texts = Array.from({ length: 200 }, (_, index) => String(index));
    await Promise.all(texts.map(ask));
    expect(taken.flat().sort()).toEqual([...texts].sort());
    expect(Math.min(...taken.map((mine) => mine.length))).toBeGreaterThan(0);
  });

  it('closes a replica without failing a request', async () => {
    const respond: Respond = ({ text }) => ({ text });
    const [first] = [await open(respond), await open(respond)];
    const outcomes: Promise<string>[] = [];
    let isRunning = true;
    const load = (async () => {
      while (isRunning) {
        outcomes.push(codeOf(ask()));
        await new Promise(setImmediate);
      }
    })();
    await eventually(() => expect(outcomes.length).toBeGreaterThan(100));
    await first.close();
    const sentBefore = outcomes.length;
    await eventually(() => expect(outcomes.length).toBeGreaterThan(sentBefore + 100));
    isRunning = false;
    await load;
    expect(new Set(await Promise.all(outcomes))).toEqual(new Set(['OK']));
  });
});

describe('BusServer at capacity', () => {
  it('rejects further requests immediately, and accepts requests again when running calls have ended', async () => {
    let running = 0;
    let most = 0;
    let wait = endOfTest.opened;
    await open(async ({ text }) => {
      most = Math.max(most, ++running);
      await wait;
      running--;
      return { text };
    });
    const taken = Array.from({ length: 2_000 }, () => codeOf(ask()));
    await eventually(() => expect(running).toBe(2_000));
    await expect(ask()).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      message: 'The service is at capacity. Retry after retryAfter seconds.',
    });
    endOfTest.open();
    expect(new Set(await Promise.all(taken))).toEqual(new Set(['OK']));
    expect(most).toBe(2_000);
    wait = Promise.resolve();
    expect(await codeOf(ask())).toBe('OK');
  });
});

describe('BusServer.close', () => {
  it('finishes the calls in progress, and accepts no new ones', async () => {
    let begun = 0;
    const shop = await open(async ({ text }) => {
      begun++;
      await endOfTest.opened;
      return { text };
    });
    const calls = Array.from({ length: 20 }, () => codeOf(ask()));
    await eventually(() => expect(begun).toBe(20));
    let isClosed = false;
    const closing = shop.stopAnswering().then(() => (isClosed = true));
    // The bus may deliver a few calls before it handles the unsubscription. These wait like the other 20 calls.
    const askLate = (timeoutMs: number) =>
      codeOf(client.call({ ...shopApi(app).operations.ask, timeoutMs }, { text: 'late' }));
    await eventually(async () => expect(await askLate(100)).toBe('SERVICE_UNAVAILABLE'));
    const begunBefore = begun;
    expect(await askLate(10_000)).toBe('SERVICE_UNAVAILABLE');
    expect(isClosed).toBe(false);
    endOfTest.open();
    await closing;
    expect(await Promise.all(calls)).toEqual(Array(20).fill('OK'));
    expect(begun).toBe(begunBefore);
  });

  it('aborts waiting calls, and sends their replies', async () => {
    const reasons: unknown[] = [];
    let begun = 0;
    const shop = await open((_question, { signal }) => {
      begun++;
      const ended = (): Answer => ({ text: String(reasons.push(signal!.reason)) });
      return new Promise((resolve) => signal!.addEventListener('abort', () => resolve(ended())));
    });
    const { signal } = new AbortController();
    const askAndWait = { ...shopApi(app).operations.askAndWait, timeoutMs: hour };
    const calls = [1, 2, 3].map(() => client.call(askAndWait, { text: '?' }, { ...callContext(), signal }));
    await eventually(() => expect(begun).toBe(3));
    const startMs = performance.now();
    await shop.stopAnswering();
    expect(await Promise.all(calls)).toEqual([{ text: '1' }, { text: '2' }, { text: '3' }]);
    expect(reasons).toEqual(Array(3).fill(expect.any(ServerStopping)));
    expect(performance.now() - startMs).toBeLessThan(5_000);
  });

  it('does not wait for calls beyond its drain time-out', async () => {
    let begun = 0;
    const respond = async ({ text }: { text: string }): Promise<Answer> => {
      begun++;
      await endOfTest.opened;
      return { text };
    };
    const shop = closeLater(await openShop(url, app, respond, {}, { drainTimeoutMs: 400 }));
    const call = codeOf(ask());
    await eventually(() => expect(begun).toBe(1));
    const startMs = performance.now();
    await shop.stopAnswering();
    expect(performance.now() - startMs).toBeGreaterThan(350);
    // Without the drain time-out the close would wait for the end of the test.
    expect(performance.now() - startMs).toBeLessThan(20_000);
    endOfTest.open();
    expect(await call).toBe('OK');
  });

  it('answers calls that the NATS server had forwarded before the close', async () => {
    let begun = 0;
    const shop = await open(({ text }) => ({ text: `${text} ${++begun}` }));
    const calls = Array.from({ length: 30 }, () => codeOf(ask()));
    await new Promise(setImmediate);
    // The client sends now. The server forwards to a replica that does not read yet.
    (bus.nats as unknown as { protocol: { flushPending(): void } }).protocol.flushPending();
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
    expect(begun).toBe(0);
    await shop.stopAnswering();
    expect(new Set(await Promise.all(calls))).toEqual(new Set(['OK']));
    expect(begun).toBe(30);
  });

  it('aborts waiting calls when their caller stops, as at its own stop, and sends their replies', async () => {
    const reasons: unknown[] = [];
    let begun = 0;
    await open((_question, { signal }) => {
      begun++;
      const ended = (): Answer => ({ text: String(reasons.push(signal!.reason)) });
      return new Promise((resolve) => signal!.addEventListener('abort', () => resolve(ended())));
    });
    const { signal } = new AbortController();
    const askAndWait = { ...shopApi(app).operations.askAndWait, timeoutMs: hour };
    const calls = [1, 2, 3].map(() => client.call(askAndWait, { text: '?' }, { ...callContext(), signal }));
    await eventually(() => expect(begun).toBe(3));
    client.endWaitingCalls();
    expect((await Promise.all(calls)).map(({ text }) => text).sort()).toEqual(['1', '2', '3']);
    expect(reasons).toEqual(Array(3).fill(expect.any(ServerStopping)));
  });

  it('does not wait for an unreachable bus', async () => {
    const link = closeLater(await openTcpLink(url));
    const overLink = link.url.replace('http', 'nats');
    const shop = closeLater(await openShop(overLink, app, ({ text }) => ({ text })));
    await link.cut();
    await eventually(() => expect(shop.bus.isConnected).toBe(false));
    const startMs = performance.now();
    await shop.close();
    expect(performance.now() - startMs).toBeLessThan(3_000);
  });
});

describe('BusServer with an output that does not fit into a message', () => {
  const outputs: [string, () => unknown][] = [
    ['is too large', () => ({ text: 'x'.repeat(1_100_000) })],
    ['contains a bigint', () => ({ text: 1n })],
    ['is undefined', () => undefined],
    [
      'is circular',
      () => {
        const circle: Record<string, unknown> = {};
        circle['circle'] = circle;
        return circle;
      },
    ],
  ];
  it.each(outputs)(
    'answers INTERNAL_ERROR when the output %s, and serves the next call',
    async (_case, output) => {
      const faults: unknown[] = [];
      let next: unknown = output();
      await open(() => next as Answer, {
        onFault: (_fields, _subject, cause) => faults.push(cause),
      });
      expect(await codeOf(ask())).toBe('INTERNAL_ERROR');
      expect(faults).toEqual([expect.objectContaining({ code: 'INTERNAL_ERROR' })]);
      expect((faults[0] as DomainError).cause).toBeDefined();
      next = { text: 'small' };
      expect(await ask()).toEqual({ text: 'small' });
    },
  );

  it('answers INTERNAL_ERROR when the details of an error cannot be sent', async () => {
    await open(() => {
      throw new DomainError('CONFLICT', undefined, { details: { amount: 1n } });
    });
    expect(await codeOf(ask())).toBe('INTERNAL_ERROR');
  });
});

describe('BusServer with hooks', () => {
  it('calls onAnswered for every answer with its code', async () => {
    const answered: [string, string][] = [];
    let seconds = -1;
    await open(
      ({ text }) => {
        if (text === 'no') throw new DomainError('CONFLICT');
        return { text };
      },
      {
        onAnswered: (subject, code, took) => {
          answered.push([subject, code]);
          seconds = took;
        },
      },
    );
    await codeOf(ask('yes'));
    await codeOf(ask('no'));
    const { subject } = shopApi(app).operations.ask;
    expect(answered).toEqual([
      [subject, 'OK'],
      [subject, 'CONFLICT'],
    ]);
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThan(5);
  });

  it('reports one name for all unknown operations', async () => {
    const answered: [string, string][] = [];
    await open(({ text }) => ({ text }), { onAnswered: (subject, code) => answered.push([subject, code]) });
    const unknown = {
      ...shopApi(app).operations.ask,
      subject: `op.${app}.questions.forget-${'x'.repeat(100)}`,
    };
    expect(await codeOf(client.call(unknown, { text: 'tea?' }))).toBe('SERVICE_UNAVAILABLE');
    expect(answered).toEqual([['unknown', 'SERVICE_UNAVAILABLE']]);
  });

  it('calls onFault with the cause and the ids of the request, which the caller does not receive', async () => {
    const faults: unknown[] = [];
    const cause = new Error('relation "orders" does not exist');
    await open(
      () => {
        throw cause;
      },
      { onFault: (fields, subject, error) => faults.push({ fields, subject, error }) },
    );
    const context = callContext({ requestId: 'request-1' });
    const error = await client
      .call(shopApi(app).operations.ask, { text: 'tea?' }, context)
      .catch((thrown: unknown) => thrown as DomainError);
    expect(error).toMatchObject({ code: 'INTERNAL_ERROR' });
    expect(JSON.stringify(error) + (error as Error).message).not.toContain('orders');
    expect(faults).toEqual([
      {
        fields: { requestId: 'request-1', traceId: context.traceparent.slice(3, 35) },
        subject: shopApi(app).operations.ask.subject,
        error: expect.objectContaining({ cause }),
      },
    ]);
  });

  it('maps a fault with explain', async () => {
    const faults: unknown[] = [];
    const cause = new Error('connect ECONNREFUSED');
    await open(
      () => {
        throw cause;
      },
      {
        explain: (found) =>
          found === cause ? new DomainError('SERVICE_UNAVAILABLE', undefined, { cause }) : undefined,
        onFault: (_fields, _subject, error) => faults.push(error),
      },
    );
    expect(await codeOf(ask())).toBe('SERVICE_UNAVAILABLE');
    expect(faults).toEqual([expect.objectContaining({ code: 'SERVICE_UNAVAILABLE', cause })]);
  });
});

describe('BusServer', () => {
  it('handles a signed call without a reply subject, and rejects an unsigned one', async () => {
    const handled = gate<string>();
    const rejected: string[] = [];
    await open(
      ({ text }) => {
        handled.open(text);
        return { text };
      },
      { onRejected: ({ reason }) => rejected.push(reason) },
    );
    const { subject } = shopApi(app).operations.ask;
    bus.publish(subject, Buffer.from('{"text":"unsigned"}'));
    const body = Buffer.from('{"text":"quiet"}');
    const headers = encodeContext(callContext(), false, (fields) =>
      developmentIdentity('gateway').sign(app, { subject, fields, body }),
    );
    bus.publish(subject, body, { headers });
    expect(await handled.opened).toBe('quiet');
    expect(rejected).toEqual(['unsigned']);
    expect(await codeOf(ask())).toBe('OK');
  });

  it('neither serves nor answers a call with a reply subject outside of the inboxes for replies of this app', async () => {
    const rejected: string[] = [];
    const handled: string[] = [];
    await open(
      ({ text }) => {
        handled.push(text);
        return { text };
      },
      { onRejected: ({ reason }) => rejected.push(reason) },
    );
    const { subject } = shopApi(app).operations.ask;
    const foreign = [
      `$JS.API.STREAM.PURGE.${app}`,
      `op.${app}.outbox-written`,
      `_INBOX.${app}.guessed`,
      '_INBOX.gateway.other.random.1',
      '_INBOX.gateway.nuid.1',
    ];
    const published: string[] = [];
    for (const reply of foreign) {
      bus.nats.subscribe(reply, { callback: (_error, message) => published.push(message.subject) });
      const body = Buffer.from('{"text":"stolen"}');
      const headers = encodeContext(callContext(), false, (fields) =>
        developmentIdentity('gateway').sign(app, { subject, fields, body }),
      );
      bus.publish(subject, body, { headers, reply });
    }
    expect(await codeOf(ask())).toBe('OK');
    expect(rejected).toEqual(foreign.map(() => 'replySubject'));
    expect(handled).not.toContain('stolen');
    expect(published).toEqual([]);
  });

  it('answers a call from the app to itself', async () => {
    await open(({ text }) => ({ text }));
    const self = new BusClient(bus, developmentIdentity(app));
    const { ask: askItself } = shopApi(app).operations;
    expect(await self.call(askItself, { text: 'the time' })).toEqual({ text: 'the time' });
    self.close();
  });

  it('replies to inboxes of 0.1.0 only while release 0.1.0 may run, and to no other subjects', async () => {
    const hourMs = 3_600_000;
    const replies = ['_INBOX.gateway.nuid.1', '_INBOX.gateway.other.random.1', '$JS.API.STREAM.PURGE'];
    for (const [aheadMs, answered] of [
      [hourMs, replies.slice(0, 1)],
      [-hourMs, []],
    ] as const) {
      const options = { app: 'shop', url, oldReleaseUntilMs: Date.now() + aheadMs };
      const connection = closeLater(await BusConnection.open(options));
      expect(replies.filter((reply) => connection.answersAt(reply))).toEqual(answered);
      expect(connection.answersAt('_INBOX.gateway.shop.random.1')).toBe(true);
    }
  });

  it('fails to listen when its user may not subscribe', async () => {
    const users = '{ user: shop, password: x, permissions: { publish: ">", subscribe: "_INBOX.>" } }';
    const nats = closeLater(await startRestrictedNats(users));
    const connection = closeLater(
      await BusConnection.open({ app: 'shop', url: `nats://shop:x@${nats.host}` }),
    );
    const server = new BusServer(connection, { identity: developmentIdentity('shop') });
    const listening = new Promise<Error | undefined>((resolve) => server.listen(resolve));
    expect((await listening)?.message).toContain('Permissions Violation for Subscription to');
  });
});
