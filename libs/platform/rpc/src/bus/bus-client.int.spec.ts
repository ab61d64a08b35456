import { headers as natsHeaders } from 'nats';
import { Worker } from 'node:worker_threads';
import { BusClient } from './bus-client';
import { BusConnection } from './bus-connection';
import { unrestrictedAccess } from '../calls/call-access';
import { callContext, type CallContext } from '../calls/call-context';
import { DomainError } from '../errors/domain-error';
import { closing } from '../testing/closing';
import { eventually, openTcpLink, startNats, type TcpLink, startRestrictedNats } from '../testing/servers';
import { developmentIdentity } from './service-identity';
import { gate, openShop, randomApp, sharedNatsUrl, shopApi, type Respond, type Shop } from '../testing/shop';
import { failureHeader } from '../declarations/wire';

const url = sharedNatsUrl();
const app = randomApp();
const { ask, askInHaste, askAndWait } = shopApi(app).operations;

let shop: Shop;
let bus: BusConnection;
let client: BusClient;
let respond: Respond;
const { closeLater, closeAll } = closing();
/** Unblocks the handlers that a test blocks. */
let endOfTest = gate();

beforeAll(async () => {
  shop = await openShop(url, app, (question, context) => respond(question, context));
  bus = await BusConnection.open({ app: randomApp(), url });
});

afterAll(async () => {
  await shop.close();
  await bus.close();
});

beforeEach(() => {
  endOfTest = gate();
  client = new BusClient(bus, developmentIdentity('gateway'));
  respond = ({ text }) => ({ text: `re: ${text}` });
});

afterEach(async () => {
  endOfTest.open();
  client.close();
  await closeAll();
});

const never: Respond = async () => {
  await endOfTest.opened;
  return { text: 'too late' };
};

const codeOf = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => 'OK',
    (error) => (error as DomainError).code,
  );

async function timed<T>(work: Promise<T>): Promise<{ result: T; ms: number }> {
  const startMs = performance.now();
  const result = await work;
  return { result, ms: performance.now() - startMs };
}

/** Answers an app's requests over plain NATS, without `BusServer`. */
async function rawResponder(answer: (reply: (data: string, code?: string) => void) => void) {
  const name = randomApp();
  const raw = closeLater(await BusConnection.open({ app: name, url }));
  raw.nats.subscribe(`op.${name}.>`, {
    callback: (_error, message) =>
      answer((data, code) => {
        const headers = natsHeaders();
        if (code) headers.set(failureHeader, code);
        message.respond(data, { headers });
      }),
  });
  await raw.nats.flush();
  return shopApi(name).operations;
}

describe('BusClient.call', () => {
  it('ignores a reply from an app that it has not called', async () => {
    const [caller, other] = [randomApp(), randomApp()];
    const connection = closeLater(await BusConnection.open({ app: caller, url }));
    const eavesdropped = new Map<string, string>();
    const answering = async (name: string): Promise<BusConnection> => {
      const raw = closeLater(await BusConnection.open({ app: name, url }));
      raw.nats.subscribe(`op.${name}.>`, {
        callback: (_error, { reply }) => void eavesdropped.set(name, reply!),
      });
      await raw.nats.flush();
      return raw;
    };
    const called = randomApp();
    const [thief, honest] = [await answering(other), await answering(called)];
    const client = closeLater(new BusClient(connection, developmentIdentity('gateway')));
    const ofThief = client.call(shopApi(other).operations.ask, { text: 'mine' });
    await eventually(() => expect(eavesdropped.has(other)).toBe(true));
    const answer = client.call(shopApi(called).operations.ask, { text: 'theirs' });
    await eventually(() => expect(eavesdropped.has(called)).toBe(true));
    const [own, theirs] = [eavesdropped.get(other)!, eavesdropped.get(called)!];
    // NATS permits the thief only its own inbox. The random part of that inbox does not reveal the other inbox.
    const number = theirs.split('.').at(-1)!;
    const random = own.split('.')[3]!;
    thief.nats.publish(own.replace(/[^.]+$/, number), '{"text":"forged"}');
    thief.nats.publish(`_INBOX.${caller}.${called}.${random}.${number}`, '{"text":"forged"}');
    await thief.nats.flush();
    honest.nats.publish(theirs, '{"text":"honest"}');
    thief.nats.publish(own, '{"text":"own"}');
    expect(await answer).toEqual({ text: 'honest' });
    expect(await ofThief).toEqual({ text: 'own' });
  });

  it('returns the reply of the service', async () => {
    await expect(client.call(ask, { text: 'tea?' })).resolves.toEqual({ text: 're: tea?' });
    expect(client.inFlight).toBe(0);
  });

  it('passes the call context to the handler', async () => {
    const seen = gate<CallContext>();
    respond = (_question, context) => {
      seen.open(context);
      return { text: '' };
    };
    const context = callContext({ requestId: 'request-1', principal: 'key:1' });
    await client.call(ask, { text: 'tea?' }, context);
    expect(await seen.opened).toEqual(context);
  });

  it('throws the error of the service, with its code, message and details', async () => {
    respond = () => {
      throw new DomainError('CONFLICT', 'There is no tea.', {
        details: { left: 0 },
        cause: new Error('SQL'),
      });
    };
    const error = await client.call(ask, { text: 'tea?' }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(DomainError);
    expect(error).toMatchObject({ code: 'CONFLICT', message: 'There is no tea.', details: { left: 0 } });
    expect((error as DomainError).cause).toBeUndefined();
  });

  it('matches replies to calls that arrive in any order', async () => {
    const gates = Array.from({ length: 50 }, () => gate());
    respond = async ({ text }) => {
      await gates[Number(text)]!.opened;
      return { text };
    };
    const calls = gates.map((_, index) => client.call(ask, { text: String(index) }));
    for (const { open } of [...gates].reverse()) open();
    expect((await Promise.all(calls)).map(({ text }) => text)).toEqual(
      gates.map((_, index) => String(index)),
    );
  });

  it('fails immediately with SERVICE_UNAVAILABLE when no service answers the subject', async () => {
    const absent = shopApi(randomApp()).operations.ask;
    const { result, ms } = await timed(codeOf(client.call(absent, { text: 'tea?' })));
    expect(result).toBe('SERVICE_UNAVAILABLE');
    // Long before the call's time-out of 10 s.
    expect(ms).toBeLessThan(5_000);
  });

  it('fails with OUTCOME_UNKNOWN at the time-out, and drops a late reply', async () => {
    const answer = gate();
    respond = async () => {
      await answer.opened;
      return { text: 'late' };
    };
    const { result, ms } = await timed(codeOf(client.call(askInHaste, { text: 'tea?' })));
    expect(result).toBe('OUTCOME_UNKNOWN');
    expect(ms).toBeGreaterThanOrEqual(askInHaste.timeoutMs);
    // Below the default time-out of 10 s.
    expect(ms).toBeLessThan(8_000);
    answer.open();
    respond = ({ text }) => ({ text });
    await expect(client.call(ask, { text: 'next' })).resolves.toEqual({ text: 'next' });
    expect(client.inFlight).toBe(0);
  });

  it('rejects a request above the message size limit before it is sent', async () => {
    const text = 'x'.repeat(1_100_000);
    expect(await codeOf(client.call(ask, { text }))).toBe('PAYLOAD_TOO_LARGE');
    expect(client.inFlight).toBe(0);
    expect(await codeOf(client.call(ask, { text: 'tea?' }))).toBe('OK');
  });

  it('rejects a context that would inject headers before it is sent', async () => {
    const forged = { ...callContext(), principal: 'x\r\ntb-principal: admin' };
    expect(await codeOf(client.call(ask, { text: 'tea?' }, forged))).toBe('INTERNAL_ERROR');
    expect(client.inFlight).toBe(0);
  });
});

/** Answers an app's requests in another thread, so that it continues while this thread is blocked. */
async function answerInThread(name: string): Promise<{ answered(): number }> {
  const count = new Int32Array(new SharedArrayBuffer(4));
  const nats = require.resolve('nats');
  const { host: servers, username: user, password: pass } = new URL(url);
  const thread = new Worker(
    `const { workerData, parentPort } = require('node:worker_threads');
     const { connect } = require(workerData.nats);
     void connect(workerData.server).then(async (bus) => {
       bus.subscribe('op.' + workerData.name + '.>', { callback: (_error, message) => {
         message.respond(message.data);
         Atomics.add(workerData.count, 0, 1);
       } });
       await bus.flush();
       parentPort.postMessage('ready');
     });`,
    { eval: true, workerData: { server: { servers, user, pass }, name, nats, count } },
  );
  closeLater({ close: () => void thread.terminate() });
  await new Promise((resolve, reject) => thread.once('message', resolve).once('error', reject));
  return { answered: () => Atomics.load(count, 0) };
}

/** Blocks this thread: no timer runs, and no socket is read. */
const standStill = (ms: number): void =>
  void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

describe('BusClient after a stall of its process', () => {
  it('returns the replies that arrived during a stall longer than the time-out of their calls', async () => {
    const name = randomApp();
    const { answered } = await answerInThread(name);
    const patient = { ...shopApi(name).operations.ask, timeoutMs: 1_000 };
    const calls = Array.from({ length: 64 }, (_, index) =>
      client.call(patient, { text: String(index) }).then(
        ({ text }) => text,
        (error: unknown) => (error as DomainError).code,
      ),
    );
    // All calls are sent in one write at the end of this turn of the event loop.
    await new Promise(setImmediate);
    for (let waits = 0; waits < 100 && answered() < 64; waits++) standStill(50);
    expect(answered()).toBe(64);
    standStill(1_200);
    expect(await Promise.all(calls)).toEqual(calls.map((_, index) => String(index)));
  });

  it('allows a service in the stalled process the rest of the time-out', async () => {
    const waiting = gate();
    respond = async ({ text }) => {
      await waiting.opened;
      return { text };
    };
    const calls = Array.from({ length: 64 }, () =>
      codeOf(client.call({ ...ask, timeoutMs: 1_500 }, { text: 'tea?' })),
    );
    await bus.nats.flush();
    standStill(2_000);
    setTimeout(() => waiting.open(), 300);
    expect(new Set(await Promise.all(calls))).toEqual(new Set(['OK']));
  });
});

describe('BusClient over plain NATS', () => {
  it('fails only the call with an unreadable reply', async () => {
    const answers: [string, string?][] = [
      ['not json', 'CONFLICT'],
      ['{"code":"CONFLICT"}', 'CONFLICT'],
    ];
    const operations = await rawResponder((reply) => reply(...answers.shift()!));
    expect(await codeOf(client.call(operations.ask, { text: '1' }))).toBe('INTERNAL_ERROR');
    expect(await codeOf(client.call(operations.ask, { text: '2' }))).toBe('CONFLICT');
  });

  it('limits the calls in flight, and removes them at their time-out', async () => {
    const operations = await rawResponder(() => undefined);
    const calls = Array.from({ length: 10_000 }, () =>
      codeOf(client.call(operations.askInHaste, { text: 'tea?' })),
    );
    expect(client.inFlight).toBe(10_000);
    expect(await codeOf(client.call(operations.askInHaste, { text: 'one more' }))).toBe(
      'SERVICE_UNAVAILABLE',
    );
    // The extra call is rejected immediately, while the others still wait.
    expect(client.inFlight).toBe(10_000);
    expect(new Set(await Promise.all(calls))).toEqual(new Set(['OUTCOME_UNKNOWN']));
    expect(client.inFlight).toBe(0);
  });
});

describe('BusClient.close', () => {
  it('fails the calls in flight with OUTCOME_UNKNOWN', async () => {
    respond = never;
    const call = codeOf(client.call(ask, { text: 'tea?' }));
    client.close();
    expect(await call).toBe('OUTCOME_UNKNOWN');
  });

  it('rejects new calls with SERVICE_UNAVAILABLE', async () => {
    client.close();
    expect(await codeOf(client.call(ask, { text: 'tea?' }))).toBe('SERVICE_UNAVAILABLE');
    expect(client.inFlight).toBe(0);
  });
});

describe('BusClient without NATS', () => {
  let link: TcpLink;
  let cutOff: BusConnection;
  let caller: BusClient;

  beforeEach(async () => {
    link = closeLater(await openTcpLink(url));
    cutOff = closeLater(
      await BusConnection.open({ app: randomApp(), url: link.url.replace('http', 'nats') }),
    );
    caller = closeLater(new BusClient(cutOff, developmentIdentity('gateway')));
  });

  /** A client with a reconnect time that is long enough for a slow machine. */
  const patientCaller = () =>
    closeLater(
      new BusClient(cutOff, developmentIdentity('gateway'), unrestrictedAccess, { reconnectMs: 30_000 }),
    );

  it('fails calls in flight and new calls before their own time-out', async () => {
    respond = never;
    const underWay = codeOf(caller.call(ask, { text: 'tea?' }));
    await cutOff.nats.flush();
    const { result, ms } = await timed(link.cut().then(() => underWay));
    expect(result).toBe('OUTCOME_UNKNOWN');
    // Usually about a second. The calls' own time-out is 10 s.
    expect(ms).toBeLessThan(8_000);
    const later = await timed(codeOf(caller.call(ask, { text: 'tea?' })));
    expect(later.result).toBe('SERVICE_UNAVAILABLE');
    expect(later.ms).toBeLessThan(8_000);
  });

  it('sends a call that was made while the connection was lost to the next server', async () => {
    caller = patientCaller();
    await link.cut();
    await eventually(() => expect(cutOff.isConnected).toBe(false));
    const calls = Array.from({ length: 5 }, () => codeOf(caller.call(ask, { text: 'tea?' })));
    await link.mend();
    expect(await Promise.all(calls)).toEqual(Array.from({ length: 5 }, () => 'OK'));
  });

  it('resends a read in flight after a reconnect, but never a write', async () => {
    caller = patientCaller();
    const asked: string[] = [];
    const waiting = gate();
    respond = async ({ text }) => {
      asked.push(text);
      await waiting.opened;
      return { text };
    };
    const read = caller.call({ ...ask, isRead: true }, { text: 'read' });
    const write = codeOf(caller.call({ ...ask, timeoutMs: 2_000 }, { text: 'write' }));
    await eventually(() => expect(asked).toHaveLength(2));
    await link.cut();
    await eventually(() => expect(cutOff.isConnected).toBe(false));
    waiting.open();
    await link.mend();
    expect(await read).toEqual({ text: 'read' });
    expect(await write).toBe('OUTCOME_UNKNOWN');
    expect(asked.sort()).toEqual(['read', 'read', 'write']);
  });

  it('sends a read once when only a rejected subscription was renewed', async () => {
    const connection = closeLater(await BusConnection.open({ app: randomApp(), url, resubscribeMs: 20 }));
    caller = closeLater(new BusClient(connection, developmentIdentity('gateway')));
    let asked = 0;
    const waiting = gate();
    respond = async ({ text }) => {
      asked += 1;
      await waiting.opened;
      return { text };
    };
    const read = caller.call({ ...ask, isRead: true }, { text: 'read' });
    await eventually(() => expect(asked).toBe(1));
    // Registers like a `LastingSubscription` after the server rejected it.
    const repeated = gate();
    connection.onResubscribe(() => repeated.open());
    await repeated.opened;
    await connection.nats.flush();
    // This call would be served after a second delivery of the read.
    const later = caller.call({ ...ask, isRead: true }, { text: 'later' });
    await eventually(() => expect(asked).toBeGreaterThan(1));
    waiting.open();
    expect([await read, await later]).toEqual([{ text: 'read' }, { text: 'later' }]);
    expect(asked).toBe(2);
  });

  it('fails a read that the next server does not accept, and resends the other reads', async () => {
    const users = '{ user: caller, password: pass }, { user: shop, password: pass }';
    const nats = closeLater(await startRestrictedNats(users));
    const waiting = gate();
    const asked: string[] = [];
    closeLater(
      await openShop(`nats://shop:pass@${nats.host}`, 'shop', async ({ text }) => {
        asked.push(text.slice(0, 5));
        if (asked.length <= 2) await waiting.opened;
        return { text: text.slice(0, 5) };
      }),
    );
    const bus = closeLater(
      await BusConnection.open({ app: 'caller', url: `nats://caller:pass@${nats.host}` }),
    );
    const client = closeLater(new BusClient(bus, developmentIdentity('gateway')));
    const read = { ...shopApi('shop').operations.ask, isRead: true };
    const [large, small] = [
      codeOf(client.call(read, { text: 'large'.repeat(500) })),
      client.call(read, { text: 'small' }),
    ];
    await eventually(() => expect(asked.sort()).toEqual(['large', 'small']));
    await nats.reload(users, 'max_payload: 2048');
    bus.reconnect();
    expect(await large).toBe('PAYLOAD_TOO_LARGE');
    expect(await small).toEqual({ text: 'small' });
    waiting.open();
  });

  it('returns a reply to a write that the service sends after the reconnect', async () => {
    caller = patientCaller();
    const asked: string[] = [];
    const waiting = gate();
    respond = async ({ text }) => {
      asked.push(text);
      await waiting.opened;
      return { text };
    };
    const write = caller.call(ask, { text: 'write' });
    await eventually(() => expect(asked).toHaveLength(1));
    await link.cut();
    await eventually(() => expect(cutOff.isConnected).toBe(false));
    await link.mend();
    await eventually(() => expect(cutOff.isConnected).toBe(true));
    await cutOff.nats.flush();
    waiting.open();
    expect(await write).toEqual({ text: 'write' });
    expect(asked).toEqual(['write']);
  });

  it('fails a read in flight when no server accepts the connection', async () => {
    respond = never;
    const read = codeOf(caller.call({ ...ask, isRead: true }, { text: 'read' }));
    await cutOff.nats.flush();
    const { result, ms } = await timed(link.cut().then(() => read));
    expect(result).toBe('OUTCOME_UNKNOWN');
    expect(ms).toBeLessThan(8_000);
  });

  it('reports a lost connection once for all of its calls, and does not report service time-outs', async () => {
    const lost: number[] = [];
    const timedOut: string[] = [];
    caller = closeLater(
      new BusClient(cutOff, developmentIdentity('gateway'), unrestrictedAccess, {
        onLost: (calls) => lost.push(calls),
        onTimeout: ({ name }) => timedOut.push(name),
      }),
    );
    respond = never;
    const calls = Array.from({ length: 64 }, () => codeOf(caller.call(ask, { text: 'tea?' })));
    await cutOff.nats.flush();
    await link.cut();
    expect(new Set(await Promise.all(calls))).toEqual(new Set(['OUTCOME_UNKNOWN']));
    expect({ lost, timedOut }).toEqual({ lost: [64], timedOut: [] });
  });

  it('succeeds again after a reconnect', async () => {
    await link.cut();
    await eventually(() => expect(cutOff.isConnected).toBe(false));
    await link.mend();
    await eventually(async () => expect(await codeOf(caller.call(ask, { text: 'tea?' }))).toBe('OK'));
  });
});

describe('BusClient and BusServer', () => {
  it('reconnects the client and the service to a restarted server', async () => {
    const nats = await startNats();
    closeLater({ close: () => nats.remove() });
    const name = randomApp();
    closeLater(await openShop(nats.url, name, ({ text }) => ({ text })));
    const connection = closeLater(await BusConnection.open({ app: randomApp(), url: nats.url }));
    const caller = closeLater(new BusClient(connection, developmentIdentity('gateway')));
    const call = () => codeOf(caller.call(shopApi(name).operations.ask, { text: 'tea?' }));
    expect(await call()).toBe('OK');
    await nats.stop('SIGKILL');
    await eventually(async () => expect(await call()).toBe('SERVICE_UNAVAILABLE'));
    await nats.start();
    await eventually(async () => expect(await call()).toBe('OK'));
  });
});

describe('BusClient.call with a signal', () => {
  const signals: CallContext['signal'][] = [];
  const untilAborted: Respond = async (_question, { signal }) => {
    signals.push(signal);
    await new Promise((resolve) => signal?.addEventListener('abort', resolve));
    return { text: 'too late to be received' };
  };
  const asked = (count: number) => eventually(() => expect(signals).toHaveLength(count));
  beforeEach(() => void signals.splice(0));

  it('ends only the calls of the callers that abort', async () => {
    const replica = await openShop(url, app, untilAborted);
    closeLater(replica);
    respond = untilAborted;
    const leaving = Array.from({ length: 8 }, () => new AbortController());
    const calls = leaving.map(({ signal }) =>
      codeOf(client.call(askAndWait, { text: '?' }, { ...callContext(), signal })),
    );
    await asked(8);
    expect(signals.map((signal) => signal?.aborted)).toEqual(Array(8).fill(false));
    leaving[3]!.abort();
    expect(await calls[3]).toBe('OUTCOME_UNKNOWN');
    await eventually(() => expect(signals.filter((signal) => signal?.aborted)).toHaveLength(1));
    for (const it of leaving) it.abort();
    await eventually(() => expect(signals.filter((signal) => signal?.aborted)).toHaveLength(8));
    expect(client.inFlight).toBe(0);
  });

  it('does not start a call with an aborted signal, and answers a call with an active signal', async () => {
    const gone = AbortSignal.abort();
    respond = untilAborted;
    expect(await codeOf(client.call(askAndWait, { text: '?' }, { ...callContext(), signal: gone }))).toBe(
      'OUTCOME_UNKNOWN',
    );
    expect(signals).toEqual([]);
    respond = ({ text }) => ({ text: `re: ${text}` });
    const { signal } = new AbortController();
    expect(await client.call(askAndWait, { text: 'tea' }, { ...callContext(), signal })).toEqual({
      text: 're: tea',
    });
  });

  it('passes no signal to an operation without endsWithCaller', async () => {
    respond = async (_question, { signal }) => {
      signals.push(signal);
      return { text: 'done' };
    };
    const { signal } = new AbortController();
    await client.call(ask, { text: '?' }, { ...callContext(), signal });
    expect(signals).toEqual([undefined]);
  });
});
