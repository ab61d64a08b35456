import { headers as natsHeaders } from 'nats';
import { BusClient } from './bus-client';
import { BusConnection } from './bus-connection';
import { callContext, type CallContext } from './call-context';
import { DomainError } from './domain-error';
import { closing } from './testing/closing';
import { eventually, openTcpLink, startNats, type TcpLink } from './testing/servers';
import { developmentIdentity } from './service-identity';
import { gate, openShop, randomApp, sharedNatsUrl, shopApi, type Respond, type Shop } from './testing/shop';
import { failureHeader } from './wire';

const url = sharedNatsUrl();
const app = randomApp();
const { ask, askInHaste, askAndWait } = shopApi(app).operations;

let shop: Shop;
let bus: BusConnection;
let client: BusClient;
let respond: Respond;
const { closeLater, closeAll } = closing();
/** Ends the answers that a test keeps waiting. */
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

/** Reads an app's requests and does with them as the test says, without our server. */
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

describe('a call', () => {
  it('brings the answer of the service', async () => {
    await expect(client.call(ask, { text: 'tea?' })).resolves.toEqual({ text: 're: tea?' });
    expect(client.inFlight).toBe(0);
  });

  it('brings the caller along', async () => {
    const seen = gate<CallContext>();
    respond = (_question, context) => {
      seen.open(context);
      return { text: '' };
    };
    const context = callContext({ requestId: 'request-1', principal: 'key:1' });
    await client.call(ask, { text: 'tea?' }, context);
    expect(await seen.opened).toEqual(context);
  });

  it('throws what the service throws, with code, message and details', async () => {
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

  it('gets its own answer, whatever the order of the answers', async () => {
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

  it('fails at once when no service is there', async () => {
    const nobody = shopApi(randomApp()).operations.ask;
    const { result, ms } = await timed(codeOf(client.call(nobody, { text: 'tea?' })));
    expect(result).toBe('SERVICE_UNAVAILABLE');
    expect(ms).toBeLessThan(500);
  });

  it('has an unknown outcome when its time is over, and a late answer is dropped', async () => {
    const answer = gate();
    respond = async () => {
      await answer.opened;
      return { text: 'late' };
    };
    const { result, ms } = await timed(codeOf(client.call(askInHaste, { text: 'tea?' })));
    expect(result).toBe('OUTCOME_UNKNOWN');
    expect(ms).toBeGreaterThanOrEqual(askInHaste.timeoutMs);
    expect(ms).toBeLessThan(askInHaste.timeoutMs + 700);
    answer.open();
    respond = ({ text }) => ({ text });
    await expect(client.call(ask, { text: 'next' })).resolves.toEqual({ text: 'next' });
    expect(client.inFlight).toBe(0);
  });

  it('that is larger than a message may be is refused before it is sent', async () => {
    const text = 'x'.repeat(1_100_000);
    expect(await codeOf(client.call(ask, { text }))).toBe('PAYLOAD_TOO_LARGE');
    expect(client.inFlight).toBe(0);
    expect(await codeOf(client.call(ask, { text: 'tea?' }))).toBe('OK');
  });

  it('with a context that would forge headers is refused before it is sent', async () => {
    const forged = { ...callContext(), principal: 'x\r\ntb-principal: admin' };
    expect(await codeOf(client.call(ask, { text: 'tea?' }, forged))).toBe('INTERNAL_ERROR');
    expect(client.inFlight).toBe(0);
  });
});

it('a reply that cannot be read fails its own call only', async () => {
  const answers: [string, string?][] = [
    ['not json', 'CONFLICT'],
    ['{"code":"CONFLICT"}', 'CONFLICT'],
  ];
  const operations = await rawResponder((reply) => reply(...answers.shift()!));
  expect(await codeOf(client.call(operations.ask, { text: '1' }))).toBe('INTERNAL_ERROR');
  expect(await codeOf(client.call(operations.ask, { text: '2' }))).toBe('CONFLICT');
});

it('holds a bounded number of calls, and forgets them when their time is over', async () => {
  const operations = await rawResponder(() => undefined);
  const calls = Array.from({ length: 10_000 }, () =>
    codeOf(client.call(operations.askInHaste, { text: 'tea?' })),
  );
  expect(client.inFlight).toBe(10_000);
  const { result, ms } = await timed(codeOf(client.call(operations.askInHaste, { text: 'one more' })));
  expect(result).toBe('SERVICE_UNAVAILABLE');
  expect(ms).toBeLessThan(100);
  expect(new Set(await Promise.all(calls))).toEqual(new Set(['OUTCOME_UNKNOWN']));
  expect(client.inFlight).toBe(0);
});

describe('a closed client', () => {
  it('tells its callers that nobody knows', async () => {
    respond = never;
    const call = codeOf(client.call(ask, { text: 'tea?' }));
    client.close();
    expect(await call).toBe('OUTCOME_UNKNOWN');
  });

  it('takes no more calls: nobody would end them', async () => {
    client.close();
    expect(await codeOf(client.call(ask, { text: 'tea?' }))).toBe('SERVICE_UNAVAILABLE');
    expect(client.inFlight).toBe(0);
  });
});

describe('when NATS goes away', () => {
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

  it('calls under way have an unknown outcome within two seconds, new ones fail at once', async () => {
    respond = never;
    const underWay = codeOf(caller.call(ask, { text: 'tea?' }));
    await cutOff.nats.flush();
    const { result, ms } = await timed(link.cut().then(() => underWay));
    expect(result).toBe('OUTCOME_UNKNOWN');
    expect(ms).toBeLessThan(2_000);
    const refused = await timed(codeOf(caller.call(ask, { text: 'tea?' })));
    expect(refused.result).toBe('SERVICE_UNAVAILABLE');
    expect(refused.ms).toBeLessThan(100);
  });

  it('calls succeed again when it is back', async () => {
    await link.cut();
    await eventually(() => expect(cutOff.isConnected).toBe(false));
    await link.mend();
    await eventually(async () => expect(await codeOf(caller.call(ask, { text: 'tea?' }))).toBe('OK'));
  });
});

it('a restarted server takes caller and service back', async () => {
  const nats = await startNats();
  closeLater({ close: () => nats.remove() });
  const name = randomApp();
  closeLater(await openShop(nats.url, name, ({ text }) => ({ text })));
  const connection = closeLater(await BusConnection.open({ app: randomApp(), url: nats.url }));
  const caller = closeLater(new BusClient(connection, developmentIdentity('gateway')));
  const call = () => codeOf(caller.call(shopApi(name).operations.ask, { text: 'tea?' }));
  expect(await call()).toBe('OK');
  await nats.stop('SIGKILL');
  await eventually(async () => expect(await call()).toBe('SERVICE_UNAVAILABLE'), { timeoutMs: 2_000 });
  await nats.start();
  await eventually(async () => expect(await call()).toBe('OK'));
});

describe('a call that ends with its caller', () => {
  const signals: CallContext['signal'][] = [];
  const untilAborted: Respond = async (_question, { signal }) => {
    signals.push(signal);
    await new Promise((resolve) => signal?.addEventListener('abort', resolve));
    return { text: 'nobody listens' };
  };
  const asked = (count: number) => eventually(() => expect(signals).toHaveLength(count));
  beforeEach(() => void signals.splice(0));

  it('ends when he hangs up, and no other one does', async () => {
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

  it('is not begun for one who has left, and is answered for one who stays', async () => {
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

  it('only where it is declared: others go on', async () => {
    respond = async (_question, { signal }) => {
      signals.push(signal);
      return { text: 'done' };
    };
    const { signal } = new AbortController();
    await client.call(ask, { text: '?' }, { ...callContext(), signal });
    expect(signals).toEqual([undefined]);
  });
});
