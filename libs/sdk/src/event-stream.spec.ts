import { createClient, followOrder, type Client, type StreamOptions } from '.';
import { EventParser } from './event-parser';
import { failure, hangUp, TestServer, type Answer } from './testing/test-server';

let server: TestServer;
let client: Client;
beforeAll(async () => {
  server = await TestServer.start();
  client = createClient({ baseUrl: server.url, apiKey: 'tb_test_pk_1' });
});
afterAll(() => server.close());
// Records delays instead of waiting.
beforeEach(() => {
  const real = setTimeout;
  jest
    .spyOn(globalThis, 'setTimeout')
    .mockImplementation(((run: () => void, ms = 0) =>
      real(run, ms < 40_000 && ms > 100 ? 1 : ms)) as typeof setTimeout);
});
afterEach(() => jest.restoreAllMocks());

const message = (id: number, status: string, event = 'order') =>
  `id: ${id}\nevent: ${event}\ndata: ${JSON.stringify({ order_id: 'x', status })}\n\n`;
const end = 'id: 9\nevent: end\ndata: {"reason":"final"}\n\n';

/** Answers with a stream of these parts, which then ends or stays open. */
const stream =
  (parts: string[], staysOpen = false): Answer =>
  (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const part of parts) response.write(part);
    if (!staysOpen) response.end();
  };
const statusesOf = async (options?: StreamOptions): Promise<string[]> => {
  const statuses: string[] = [];
  for await (const { data } of followOrder(client, { id: 'x' }, options)) statuses.push(data.status);
  return statuses;
};
const lastIds = (): unknown[] => server.seen.map(({ headers }) => headers['last-event-id']);

describe('a stream of server-sent events', () => {
  it('returns the states until the server ends the stream', async () => {
    server.answer(
      stream(
        ['retry: 2000\n\n', ': beat\n\n', message(1, 'waiting_payment'), message(2, 'settled'), end],
        true,
      ),
    );
    const messages = [];
    for await (const each of followOrder(client, { id: 'x' })) messages.push(each);
    expect(messages.map(({ id, event, data }) => [id, event, data.status])).toEqual([
      ['1', 'order', 'waiting_payment'],
      ['2', 'order', 'settled'],
    ]);
    const { url, headers } = server.seen[0]!;
    expect([url, headers.accept, headers.authorization]).toEqual([
      '/api/v1/pay/order/x/events',
      'text/event-stream',
      'Bearer tb_test_pk_1',
    ]);
    expect(server.seen).toHaveLength(1);
  });

  it('continues after the last message when the connection was lost', async () => {
    server.answer(
      stream([message(1, 'waiting_payment'), 'id: 2\nevent: order\nda']),
      hangUp,
      failure(503, 'SERVICE_UNAVAILABLE', {}, { 'retry-after': '1' }),
      stream([message(2, 'settling')]),
      stream([message(3, 'settled'), end]),
    );
    expect(await statusesOf()).toEqual(['waiting_payment', 'settling', 'settled']);
    expect(lastIds()).toEqual([undefined, '1', '1', '1', '2']);
  });

  it('starts after a message that an earlier process received', async () => {
    server.answer(stream([message(3, 'settled'), end]));
    await statusesOf({ lastEventId: '2' });
    expect(lastIds()).toEqual(['2']);
  });

  it('ends when the client already has the final state', async () => {
    server.answer((response) => void response.writeHead(204).end());
    expect(await statusesOf({ lastEventId: '9' })).toEqual([]);
    expect(server.seen).toHaveLength(1);
  });

  it('skips unknown messages', async () => {
    server.answer(stream([message(1, 'other', 'news'), message(2, 'settled'), end]));
    expect(await statusesOf()).toEqual(['settled']);
  });

  it('reads messages from parts of any size', async () => {
    const bytes = Buffer.from(`${message(1, 'é🎉')}${end}`);
    server.answer((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const send = (at: number): void => {
        if (at === bytes.length) return void response.end();
        response.write(bytes.subarray(at, at + 1));
        setImmediate(send, at + 1);
      };
      send(0);
    });
    expect(await statusesOf()).toEqual(['é🎉']);
  });

  it.each<[number, string]>([
    [404, 'NOT_FOUND'],
    [401, 'UNAUTHORIZED'],
  ])('throws a final failure: %d %s', async (status, code) => {
    server.answer(failure(status, code));
    await expect(statusesOf()).rejects.toMatchObject({ code, status, operation: 'followOrder' });
    expect(server.seen).toHaveLength(1);
  });

  it('throws for a message that is too long', async () => {
    server.answer(stream([`data: ${'x'.repeat(1_000_001)}`], true));
    await expect(statusesOf()).rejects.toMatchObject({ code: 'UNEXPECTED_RESPONSE' });
  });

  it('throws after too many failures in a row', async () => {
    server.answer(hangUp);
    await expect(statusesOf({ retries: 3 })).rejects.toMatchObject({ code: 'NETWORK_ERROR' });
    expect(server.seen).toHaveLength(4);
  });

  it('throws when too many streams in a row end without a message', async () => {
    server.answer(stream(['retry: 10\n\n']));
    await expect(statusesOf({ retries: 3 })).rejects.toMatchObject({ code: 'NETWORK_ERROR' });
    expect(server.seen).toHaveLength(4);
  });

  it('closes the connection when the loop is left', async () => {
    let closed: () => void = () => undefined;
    const isClosed = new Promise<void>((resolve) => (closed = resolve));
    server.answer((response) => {
      response.once('close', closed);
      stream([message(1, 'waiting_payment')], true)(response, {} as never);
    });
    for await (const { data } of followOrder(client, { id: 'x' })) {
      expect(data.status).toBe('waiting_payment');
      break;
    }
    await isClosed;
  });

  it('ends with ABORTED when its signal is aborted', async () => {
    server.answer(stream([message(1, 'waiting_payment')], true));
    const controller = new AbortController();
    const states = followOrder(client, { id: 'x' }, { signal: controller.signal });
    await states.next();
    const next = states.next();
    controller.abort('enough');
    await expect(next).rejects.toMatchObject({ code: 'ABORTED', cause: 'enough' });
  });
});

describe('EventParser', () => {
  const parse = (...parts: string[]) => {
    const parser = new EventParser();
    return { parser, events: parts.flatMap((part) => parser.push(part)) };
  };

  it.each(['\n', '\r\n', '\r'])('accepts lines that end with %j', (newline) => {
    const text = ['id: 1', 'data: a', 'data:b', 'data', '', ''].join(newline);
    // A CR at the end may be followed by an LF. The next line shows that it is not.
    expect(parse(text, ':').events).toEqual([{ id: '1', event: 'message', data: 'a\nb\n' }]);
  });

  it('keeps an id for the following messages', () => {
    expect(parse('id: 1\ndata: a\n\ndata: b\n\nid\ndata: c\n\n').events.map(({ id }) => id)).toEqual([
      '1',
      '1',
      '',
    ]);
  });

  it('ignores comments, unknown fields, ids with a zero byte and messages without data', () => {
    const { parser, events } = parse(
      ': x\n\nother: y\nretry: soon\nid: a\0b\nevent: z\n\nretry: 5\ndata: 1\n\n',
    );
    expect([events, parser.retryMs]).toEqual([[{ id: undefined, event: 'message', data: '1' }], 5]);
  });

  it('rejects a message that is too long', () => {
    expect(() => parse('data: ', 'x'.repeat(1_000_001))).toThrow(RangeError);
    expect(() => parse(...Array.from({ length: 2_000 }, () => `data: ${'x'.repeat(1_000)}\n`))).toThrow(
      RangeError,
    );
  });
});
