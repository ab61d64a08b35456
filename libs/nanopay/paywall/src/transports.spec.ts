import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import {
  decodeFrame,
  encodeFrame,
  encodeOutcomes,
  frameHeadLength,
  lengthOf,
  maxFrameBytes,
  maxFrameItems,
  type ChargeItem,
  type FrameItem,
  type Outcome,
  type RejectedOutcome,
} from '@tollbridge/nanopay-protocol';
import { aChargeItem, aRejectedOutcome } from '@tollbridge/nanopay-protocol/testing';
import { Batcher } from './batcher';
import { newCallKey } from './call-keys';
import { httpTransport, natsTransport, type NatsReply, type NatsRequester, type Transport } from './index';

const item = (name = 1): FrameItem => ({
  kind: 'void',
  callKey: Buffer.alloc(16, name),
  confirmationId: Buffer.alloc(16),
});
const rejected = aRejectedOutcome();
const options = { messageTimeoutMs: 30_000, maxUnderWay: 4, maxWaiting: 10_000 };
const soon = () => performance.now() + 60_000;

describe('Batcher', () => {
  function recorded(answer: (items: readonly FrameItem[]) => Promise<Outcome[]>) {
    const messages: number[] = [];
    const transport: Transport = {
      send: (items) => {
        messages.push(items.length);
        return answer(items);
      },
    };
    return { messages, transport };
  }
  const rejectAll = async (items: readonly FrameItem[]) => items.map(() => rejected);

  const submitted = (batcher: Batcher, count: number) =>
    Array.from({ length: count }, (_, at) => batcher.submit(item(at), soon()));

  it('sends payments of one turn in one message', async () => {
    const { messages, transport } = recorded(rejectAll);
    const outcomes = submitted(new Batcher(transport, options), 23);
    expect(messages).toEqual([]);
    await Promise.all(outcomes);
    expect(messages).toEqual([23]);
  });

  it('sends a full message within the turn, and the rest in one message', async () => {
    const { messages, transport } = recorded(rejectAll);
    const outcomes = submitted(new Batcher(transport, { ...options, maxUnderWay: 2 }), 100);
    // The maximum number of messages in flight.
    expect(messages).toEqual([24, 24]);
    await Promise.all(outcomes);
    expect(messages).toEqual([24, 24, 52]);
  });

  it('gathers new payments while messages are in flight', async () => {
    const { messages, transport } = recorded(() => new Promise(() => undefined));
    const batcher = new Batcher(transport, options);
    void submitted(batcher, 30);
    await turn();
    expect(messages).toEqual([24, 6]);
    void submitted(batcher, 3);
    await turn();
    expect(messages).toEqual([24, 6, 3]);
  });

  it('sends in the order of arrival and resolves each payment with its own outcome', async () => {
    const order: number[] = [];
    const byName = async (items: readonly FrameItem[]) => {
      order.push(...items.map(({ callKey }) => callKey[0]!));
      return items.map(({ callKey }): Outcome => ({ ...rejected, retryAfterS: callKey[0]! }));
    };
    const outcomes = await Promise.all(submitted(new Batcher({ send: byName }, options), 200));
    const names = Array.from({ length: 200 }, (_, at) => at);
    expect(order).toEqual(names);
    expect(outcomes.map((outcome) => (outcome as RejectedOutcome).retryAfterS)).toEqual(names);
  });

  it('resolves only the payments of a failed message as unknown', async () => {
    let sent = 0;
    const { transport } = recorded((items) =>
      sent++ === 0 ? Promise.reject(new Error('gone')) : rejectAll(items),
    );
    const outcomes = await Promise.all(submitted(new Batcher(transport, options), 60));
    const statuses = outcomes.map(({ status }) => status);
    expect(new Set(statuses.slice(0, 24))).toEqual(new Set(['unknown']));
    expect(new Set(statuses.slice(24))).toEqual(new Set(['rejected']));
  });

  it('splits messages at the maximum length', async () => {
    const { messages, transport } = recorded(rejectAll);
    const batcher = new Batcher(transport, { ...options, maxUnderWay: 1 });
    await Promise.all(submitted(batcher, 1_200));
    expect(messages).toEqual([24, maxFrameItems, maxFrameItems, 1_200 - 24 - 2 * maxFrameItems]);
    messages.length = 0;
    const stateInit = Buffer.alloc(4_096);
    const large = { kind: 'charge', stateInit } as unknown as ChargeItem;
    await Promise.all(Array.from({ length: 400 }, () => batcher.submit(large, soon())));
    expect(messages.length).toBeGreaterThan(1);
    expect(Math.max(...messages) * stateInit.length).toBeLessThan(maxFrameBytes);
  });

  it.each([
    ['fills a message to its last byte', frameHeadLength, [205]],
    ['moves a payment to the next message when the frame head leaves no room', 0, [204, 1]],
  ])('%s', async (_name, headLength, expected) => {
    const lengths: number[] = [];
    let letGo = (): void => undefined;
    const held = new Promise<void>((resolve) => (letGo = resolve));
    const { messages, transport } = recorded((items) => held.then(() => rejectAll(items)));
    const send: Transport['send'] = (items) => {
      lengths.push(encodeFrame(items).length);
      return transport.send(items);
    };
    const large = (length: number) => aChargeItem({ stateInit: Buffer.alloc(length) });
    const items = Array.from({ length: 204 }, () => large(4_000));
    const used = items.reduce((sum, each) => sum + lengthOf(each), headLength);
    items.push(large(maxFrameBytes - used - lengthOf(large(0))));
    const batcher = new Batcher({ send }, { ...options, maxUnderWay: 1 });
    const first = batcher.submit(item(), soon());
    await turn();
    const outcomes = items.map((each) => batcher.submit(each, soon()));
    letGo();
    await Promise.all([first, ...outcomes]);
    expect(messages).toEqual([1, ...expected]);
    expect(Math.max(...lengths)).toBeLessThanOrEqual(maxFrameBytes);
  });

  it('waits while the maximum of messages is in flight, then sends the rest together', async () => {
    const answers: (() => void)[] = [];
    const { messages, transport } = recorded(
      (items) => new Promise((resolve) => answers.push(() => resolve(items.map(() => rejected)))),
    );
    const batcher = new Batcher(transport, { ...options, maxUnderWay: 1 });
    const first = batcher.submit(item(), soon());
    await turn();
    const others = Array.from({ length: 10 }, () => batcher.submit(item(), soon()));
    await turn();
    expect(messages).toEqual([1]);
    answers.shift()!();
    await first;
    expect(messages).toEqual([1, 10]);
    answers.shift()!();
    await Promise.all(others);
  });

  it.each<[string, Transport]>([
    ['fails', { send: () => Promise.reject(new Error('gone')) }],
    [
      'throws',
      {
        send: (): never => {
          throw new Error('gone');
        },
      },
    ],
    ['never answers', { send: () => new Promise(() => undefined) }],
    ['returns too few outcomes', { send: async () => [rejected] }],
    ['returns too many outcomes', { send: async () => [rejected, rejected, rejected] }],
  ])('resolves as unknown and reports the error when the transport %s', async (_name, transport) => {
    const errors: unknown[] = [];
    const batcher = new Batcher(transport, {
      ...options,
      messageTimeoutMs: 100,
      onFailed: (error) => errors.push(error),
    });
    const outcomes = await Promise.all([batcher.submit(item(), soon()), batcher.submit(item(), soon())]);
    expect(outcomes).toEqual([{ status: 'unknown' }, { status: 'unknown' }]);
    expect(errors).toEqual([expect.any(Error)]);
  });

  it('resolves as unknown immediately when too many payments wait, and later at the deadline', async () => {
    const { messages, transport } = recorded(() => new Promise(() => undefined));
    const batcher = new Batcher(transport, {
      ...options,
      messageTimeoutMs: 1_000,
      maxUnderWay: 1,
      maxWaiting: 2,
    });
    void batcher.submit(item(), soon());
    await turn();
    const startMs = performance.now();
    const waiting = [batcher.submit(item(), performance.now()), batcher.submit(item(), performance.now())];
    expect(await batcher.submit(item(), soon())).toEqual({ status: 'unknown' });
    expect(performance.now() - startMs).toBeLessThan(500);
    expect(await Promise.all(waiting)).toEqual([{ status: 'unknown' }, { status: 'unknown' }]);
    // The waiting payments were never sent.
    expect(messages).toEqual([1]);
  });

  it('newCallKey returns distinct keys', () => {
    const keys = Array.from({ length: 10_000 }, () => newCallKey().toString('hex'));
    expect(new Set(keys).size).toBe(10_000);
    expect(new Set(keys.map(({ length }) => length))).toEqual(new Set([32]));
  });
});

describe('natsTransport', () => {
  /** A connection that records published messages and replies when the test requests it. */
  function connected() {
    const published: { subject: string; reply: string; count: number }[] = [];
    const subscribed: string[] = [];
    let deliver: Parameters<NatsRequester['subscribe']>[1]['callback'];
    const connection: NatsRequester = {
      subscribe: (subject, { callback }) => {
        subscribed.push(subject);
        deliver = callback;
      },
      publish: (subject, payload, { reply }) =>
        void published.push({ subject, reply, count: decodeFrame(payload)!.length }),
    };
    const reply = (at: number, message: Partial<NatsReply>) =>
      deliver(null, { subject: published[at]!.reply, data: Buffer.alloc(0), ...message });
    const fail = (error: Error) => deliver(error, { subject: '', data: Buffer.alloc(0) });
    return { connection, published, subscribed, reply, fail };
  }
  const answers = (count: number) => ({ data: encodeOutcomes(Array<Outcome>(count).fill(rejected)) });

  it('sends frames and resolves each with its own outcomes, in any order', async () => {
    const { connection, published, subscribed, reply } = connected();
    const transport = natsTransport({ connection, inboxPrefix: '_INBOX.shop' });
    const outcomes = [transport.send([item(), item()]), transport.send([item()])];
    expect(published.map(({ subject, count }) => [subject, count])).toEqual([
      ['op.tee.payments', 2],
      ['op.tee.payments', 1],
    ]);
    expect(subscribed).toEqual([expect.stringMatching(/^_INBOX\.shop\.tee\.[0-9a-f]{32}\.\*$/)]);
    for (const { reply: to } of published) expect(to.startsWith(subscribed[0]!.slice(0, -1))).toBe(true);
    reply(1, answers(1));
    reply(0, answers(2));
    expect(await Promise.all(outcomes)).toEqual([[rejected, rejected], [rejected]]);
  });

  it('rejects a malformed reply', async () => {
    const { connection, reply } = connected();
    const outcomes = natsTransport({ connection }).send([item()]);
    reply(0, { data: Buffer.from('{"error":true}') });
    await expect(outcomes).rejects.toThrow('Invalid reply of the payment ledger service');
  });

  it('fails immediately when no ledger service is connected', async () => {
    const { connection, reply } = connected();
    const outcomes = natsTransport({ connection }).send([item()]);
    reply(0, { headers: { code: 503 } });
    await expect(outcomes).rejects.toThrow('No payment ledger service is connected.');
  });

  it('times out and ignores a late reply', async () => {
    const { connection, reply } = connected();
    await expect(natsTransport({ connection, timeoutMs: 20 }).send([item()])).rejects.toThrow('in time');
    expect(() => reply(0, answers(1))).not.toThrow();
  });

  it('rejects all pending messages when the subscription is not permitted', async () => {
    const { connection, fail } = connected();
    const transport = natsTransport({ connection });
    const outcomes = [transport.send([item()]), transport.send([item()])];
    fail(new Error('Permissions Violation'));
    for (const each of outcomes) await expect(each).rejects.toThrow('Permissions Violation');
  });

  it('subscribes with the next message after a rejected subscription', async () => {
    const { connection, subscribed, reply, fail } = connected();
    const transport = natsTransport({ connection });
    const lost = transport.send([item()]);
    fail(new Error('Permissions Violation'));
    await expect(lost).rejects.toThrow('Permissions Violation');
    const outcomes = transport.send([item()]);
    expect(subscribed).toEqual([subscribed[0], subscribed[0]]);
    reply(1, answers(1));
    expect(await outcomes).toEqual([rejected]);
    const later = transport.send([item()]);
    reply(2, answers(1));
    await later;
    expect(subscribed).toHaveLength(2);
  });

  it('rejects messages after close', async () => {
    const { connection } = connected();
    connection.publish = () => {
      throw new Error('CONNECTION_CLOSED');
    };
    await expect(natsTransport({ connection }).send([item()])).rejects.toThrow('CONNECTION_CLOSED');
  });
});

describe('httpTransport', () => {
  let server: Server;
  let listener: RequestListener;
  let url: string;

  beforeAll(async () => {
    server = createServer((request, response) => listener(request, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as { port: number }).port}`;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  it('posts frames with the API key over one connection', async () => {
    const seen: unknown[] = [];
    const sockets = new Set<unknown>();
    listener = (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => answer(request, response, Buffer.concat(chunks)));
    };
    function answer(request: IncomingMessage, response: ServerResponse, frame: Buffer): void {
      sockets.add(request.socket);
      const { authorization, 'content-type': type } = request.headers;
      seen.push({ method: request.method, url: request.url, authorization, type });
      response.end(encodeOutcomes(decodeFrame(frame)!.map(() => rejected)));
    }
    const transport = httpTransport({ url: `${url}/`, apiKey: 'tb_test_sk_x' });
    expect(await transport.send([item()])).toEqual([rejected]);
    expect(await transport.send([item(), item()])).toEqual([rejected, rejected]);
    const type = 'application/octet-stream';
    expect(seen[1]).toEqual({ method: 'POST', url: '/payments', authorization: 'Bearer tb_test_sk_x', type });
    expect(sockets.size).toBe(1);
    transport.close!();
  });

  it('resolves as rejected when the gateway is too busy', async () => {
    listener = (_request, response) => response.writeHead(429, { 'Retry-After': '7' }).end();
    const transport = httpTransport({ url });
    expect(await transport.send([item()])).toEqual([{ ...rejected, reason: 'rate_limited', retryAfterS: 7 }]);
    transport.close!();
  });

  it.each<[string, RequestListener]>([
    ['an error', (_request, response) => response.writeHead(500).end('{}')],
    ['no permission', (_request, response) => response.writeHead(401).end('{}')],
    ['a redirect', (_request, response) => response.writeHead(307, { Location: '/other' }).end()],
    ['an HTML page', (_request, response) => response.end('<html>')],
    ['a broken connection', (request) => request.socket.destroy()],
    ['no reply', () => undefined],
  ])('rejects when the gateway answers with %s', async (_name, answer) => {
    listener = answer;
    const transport = httpTransport({ url, timeoutMs: 300 });
    await expect(transport.send([item()])).rejects.toThrow();
    transport.close!();
  });

  it('aborts an endless reply', async () => {
    listener = (_request, response) => endless(response);
    const transport = httpTransport({ url, timeoutMs: 15_000 });
    const startMs = performance.now();
    await expect(transport.send([item()])).rejects.toThrow('too long');
    // The reply is aborted before the time-out.
    expect(performance.now() - startMs).toBeLessThan(5_000);
    transport.close!();
  });

  function endless(response: { write(chunk: Buffer): boolean; destroyed: boolean }): void {
    const timer = setInterval(() => {
      if (response.destroyed) clearInterval(timer);
      else response.write(Buffer.alloc(64 * 1024));
    }, 1);
  }
});

const turn = () => new Promise((resolve) => setTimeout(resolve, 5));
