import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import {
  decodeOutcomes,
  encodeFrame,
  tcpMessage,
  TcpMessages,
  type FrameItem,
  type Outcome,
  type TcpMessage,
} from '@tollbridge/nanopay-protocol';
import { eventually } from '@tollbridge/testing';
import { readConfig } from '../config';
import { Buyer, statusOf, TeeHarness } from '../testing/tee-harness';
import { start } from '../start';
import { FramesServer } from './frames.server';
import { LedgerWriter } from '../ledger/storage/ledger-writer';
import { Payments } from './payments';

const token = 'of_guards_0123456789_0123456789_';
const tokenMessage = tcpMessage(0, Buffer.from(token));

let harness: TeeHarness;
let buyer: Buyer;
const clients: Socket[] = [];

beforeAll(async () => {
  harness = await TeeHarness.start();
  buyer = new Buyer();
  await harness.fund(buyer, 10_000_000n);
  await startApp();
});
afterAll(() => harness?.close());
afterEach(() => {
  jest.restoreAllMocks();
  for (const socket of clients.splice(0)) socket.destroy();
});

const startApp = () => harness.startApp({ TEE_TCP_TOKEN: token, TEE_TCP_PORT_NUMBER: '0' });
const portOf = (): number => harness.apps[0]!.context.get(FramesServer).port!;
const pay = (): FrameItem => buyer.pay(harness.nowMs);
const frame = (number: number, items: FrameItem[]): Buffer => tcpMessage(number, encodeFrame(items));

function open(port = portOf()): Socket {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  clients.push(socket);
  return socket;
}

/** Resolves when the connection closes, also after an error. */
const closed = (socket: Socket): Promise<unknown> => new Promise((resolve) => socket.once('close', resolve));

/** Reads the given number of messages. */
async function read(socket: Socket, count: number): Promise<TcpMessage[]> {
  const messages = new TcpMessages(1_000_000);
  const found: TcpMessage[] = [];
  for await (const chunk of socket as AsyncIterable<Buffer>) {
    found.push(...messages.read(chunk));
    if (found.length >= count) break;
  }
  return found;
}

const statuses = ({ bytes }: TcpMessage): string[] => decodeOutcomes(bytes)!.map(statusOf);

it('charges frames of a TCP client and replies with their numbers', async () => {
  const socket = open();
  socket.write(Buffer.concat([tokenMessage, frame(7, [pay()]), frame(0xffff_ffff, [pay(), pay()])]));
  const [welcome, ...answers] = await read(socket, 3);
  expect(welcome).toEqual({ number: 0, bytes: Buffer.alloc(0) });
  const statusesByNumber = new Map(answers.map((answer) => [answer.number, statuses(answer)]));
  expect(statusesByNumber.get(7)).toEqual(['captured']);
  expect(statusesByNumber.get(0xffff_ffff)).toEqual(['captured', 'captured']);
});

it('charges a payment once when it arrives by TCP and by the bus', async () => {
  const items = Array.from({ length: 20 }, pay);
  const copies = items.map((item) => ({ ...item, callKey: Buffer.alloc(16, 1) }) as FrameItem);
  const socket = open();
  socket.write(Buffer.concat([tokenMessage, frame(1, items)]));
  const [[, direct], bus] = await Promise.all([read(socket, 2), harness.send(copies)]);
  const both = statuses(direct!).map((status, at) => [status, statusOf(bus[at]!)].sort());
  expect(both).toEqual(items.map(() => ['captured', 'duplicate_settlement']));
});

it.each<[string, Buffer]>([
  ['no token', frame(1, [])],
  ['another token', tcpMessage(0, Buffer.from(token.replace('_', '-')))],
  ['half of the token', tcpMessage(0, Buffer.from(token.slice(0, 16)))],
  ['an empty token', tcpMessage(0, Buffer.alloc(0))],
  ['the token under another number', tcpMessage(1, Buffer.from(token))],
  ['a token that never ends', tcpMessage(0, Buffer.alloc(257, 0x61))],
  ['another protocol', Buffer.from('GET /health HTTP/1.1\r\nHost: tee\r\n\r\n')],
])('sends no byte to a client with %s', async (_name, bytes) => {
  const socket = open();
  const received: Buffer[] = [];
  socket.on('data', (chunk) => received.push(chunk));
  socket.write(bytes);
  await closed(socket);
  expect(received).toEqual([]);
});

it.each<[string, Buffer]>([
  ['an invalid frame', tcpMessage(1, Buffer.from('{}'))],
  ['an oversized frame', Buffer.from('000dbba100000001', 'hex')],
])('closes the connection of a client that sends %s', async (_name, bytes) => {
  const socket = open();
  socket.resume();
  socket.write(Buffer.concat([tokenMessage, bytes]));
  await closed(socket);
});

it('limits the number and the duration of unauthenticated connections', async () => {
  const client = open();
  client.write(tokenMessage);
  const silent = Array.from({ length: 32 }, () => open());
  await Promise.all(silent.map((socket) => once(socket, 'connect')));
  const oneTooMany = open();
  oneTooMany.write(tokenMessage);
  const received = jest.fn();
  oneTooMany.on('data', received);
  await closed(oneTooMany);
  expect(received).not.toHaveBeenCalled();
  // Unauthenticated connections close after five seconds.
  const startedMs = Date.now();
  await Promise.all(silent.map((socket) => closed(socket.resume())));
  expect(Date.now() - startedMs).toBeLessThan(30_000);
  client.write(frame(1, [pay()]));
  const [, answer] = await read(client, 2);
  expect(statuses(answer!)).toEqual(['captured']);
});

it('closes the connection when one reply fails, which leaves the outcomes of its other frames unknown', async () => {
  jest.spyOn(harness.apps[0]!.context.get(Payments), 'process').mockRejectedValue(new Error('of the test'));
  jest.spyOn(harness.apps[0]!.logger, 'error').mockImplementation(() => undefined);
  const socket = open();
  socket.resume();
  socket.write(Buffer.concat([tokenMessage, frame(1, [pay()])]));
  await closed(socket);
});

it('limits the frames of one connection that are in progress', async () => {
  const answers: ((outcomes: Outcome[]) => void)[] = [];
  jest
    .spyOn(harness.apps[0]!.context.get(Payments), 'process')
    .mockImplementation(() => new Promise((resolve) => answers.push(resolve)));
  const socket = open();
  const frames = Array.from({ length: 1_000 }, (_, at) => frame(at + 1, []));
  socket.write(Buffer.concat([tokenMessage, ...frames]));
  const replies = read(socket, 1_001);
  await eventually(() => expect(answers.length).toBe(64));
  for (let answered = 0; answered < 1_000; answered++) {
    await eventually(() => expect(answers.length).toBeGreaterThan(answered));
    expect(answers.length).toBeLessThanOrEqual(answered + 64);
    answers[answered]!([]);
  }
  expect((await replies).map(({ number }) => number)).toEqual(Array.from({ length: 1_001 }, (_, at) => at));
});

it('stops reading from a client that reads no replies, and resumes when the client reads', async () => {
  const done: Outcome = {
    status: 'captured',
    digest: Buffer.alloc(32),
    amountAtomic: 1n,
    seq: 1n,
    unixMs: 1n,
    previousHead: Buffer.alloc(32),
    signature: Buffer.alloc(64),
  };
  // The longest possible reply: 78 KB.
  const asked = jest
    .spyOn(harness.apps[0]!.context.get(Payments), 'process')
    .mockResolvedValue(Array<Outcome>(512).fill(done));
  const count = 1_000;
  const socket = open();
  socket.write(tokenMessage);
  for (let number = 1; number <= count; number++) socket.write(frame(number, [pay()]));
  await eventually(async () => {
    const before = asked.mock.calls.length;
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(before).toBeGreaterThan(64);
    expect(asked.mock.calls.length).toBe(before);
  });
  expect(asked.mock.calls.length).toBeLessThan(count);
  expect(await read(socket, count + 1)).toHaveLength(count + 1);
});

it('replies to accepted frames during shutdown, and accepts no more frames', async () => {
  const socket = open();
  socket.write(Buffer.concat([tokenMessage, frame(1, [pay()])]));
  const payments = harness.apps[0]!.context.get(Payments);
  const process = payments.process.bind(payments);
  let letGo = (): void => undefined;
  const held = new Promise<void>((resolve) => (letGo = resolve));
  const asked = jest
    .spyOn(payments, 'process')
    .mockImplementation((items) => held.then(() => process(items)));
  await eventually(() => expect(asked).toHaveBeenCalledTimes(1));
  const server = harness.apps[0]!.context.get(FramesServer);
  const started = startApp();
  await eventually(() => expect(server.port).toBeUndefined());
  socket.write(frame(2, [pay()]));
  await new Promise((resolve) => setTimeout(resolve, 100));
  letGo();
  const replies = await read(socket, 3);
  await started;
  expect(replies.map(({ number }) => number)).toEqual([0, 1]);
  expect(statuses(replies[1]!)).toEqual(['captured']);
  expect(asked).toHaveBeenCalledTimes(1);
});

it('shuts down even when a client breaks its connection', async () => {
  const client = open();
  client.write(tokenMessage);
  await once(client, 'data');
  client.on('end', () => client.resetAndDestroy());
  const stopped = jest.spyOn(harness.apps[0]!.context.get(LedgerWriter), 'stop');
  await startApp();
  expect(stopped).toHaveBeenCalledTimes(1);
});

it('accepts the new and the former token during a rotation', async () => {
  const next = 'the-next-token-of-the-tests-0123456789';
  await harness.startApp({ TEE_TCP_TOKEN: `${next},${token}`, TEE_TCP_PORT_NUMBER: '0' });
  for (const given of [next, token]) {
    const socket = open();
    socket.write(Buffer.concat([tcpMessage(0, Buffer.from(given)), frame(1, [pay()])]));
    const [, answer] = await read(socket, 2);
    expect(statuses(answer!)).toEqual(['captured']);
  }
  const socket = open();
  socket.write(tcpMessage(0, Buffer.from(`${next},${token}`)));
  await closed(socket);
});

it('closes connections and releases the port after a takeover', async () => {
  await harness.startApp({ TEE_TCP_TOKEN: token, TEE_TCP_PORT_NUMBER: '0' });
  const port = portOf();
  const client = open();
  client.write(tokenMessage);
  await once(client, 'data');
  // Both ledger services run in this process, and the superseded one would end it.
  jest.spyOn(process, 'kill').mockReturnValue(true);
  const gone = closed(client);
  const settings = { TEE_TCP_TOKEN: token, TEE_TCP_PORT_NUMBER: String(port) };
  const successor = await start(harness.environment(settings));
  expect(await successor.health()).toMatchObject({ status: 'standby' });
  await harness.expireLease();
  await gone;
  await eventually(() => expect(successor.context.get(FramesServer).port).toBe(port));
  process.exitCode = undefined;
  const socket = open(port);
  socket.write(Buffer.concat([tokenMessage, frame(1, [pay()])]));
  const [, answer] = await read(socket, 2);
  expect(statuses(answer!)).toEqual(['captured']);
  const [former] = harness.apps.splice(0, 1, successor);
  await former!.close();
});

it('waits for the port of its predecessor after a takeover', async () => {
  const port = portOf();
  await harness.startApp();
  const former = createServer().listen(port, '127.0.0.1');
  await once(former, 'listening');
  await harness.startApp({ TEE_TCP_TOKEN: token, TEE_TCP_PORT_NUMBER: String(port) });
  expect(statusOf(await harness.sendOne(pay()))).toBe('captured');
  expect(portOf()).toBeUndefined();
  former.close();
  await eventually(() => expect(portOf()).toBe(port));
  const socket = open();
  socket.write(tokenMessage);
  expect(await read(socket, 1)).toHaveLength(1);
});

it('listens only with a token, and rejects a token that is short or unreadable', async () => {
  await harness.startApp();
  expect(portOf()).toBeUndefined();
  for (const unusable of ['short', 'x'.repeat(257), `${token} `, 'ü'.repeat(40)])
    expect(() => readConfig(harness.environment({ TEE_TCP_TOKEN: unusable }))).toThrow(
      'TEE_TCP_TOKEN must be',
    );
  const settings = readConfig.bind(undefined, {
    ...harness.environment(),
    TOLLBRIDGE_ENV: 'production',
    TEE_TCP_TOKEN: 'REPLACE_ME_with_at_least_32_random_characters',
  });
  expect(settings).toThrow('TEE_TCP_TOKEN must not be a value from the examples');
});
