import { encodeFrame, maxFrameBytes } from '@tollbridge/nanopay-protocol';
import { eventually } from '@tollbridge/testing';
import { frameType } from '../payment-frames/payment-frames.routes';
import { listenWithFrames } from '../testing/frames-harness';
import type { GatewayHarness } from '../testing/gateway-harness';
import { SlowClient } from '../testing/slow-client';
import type { BodyBounds } from './body-admission';

let harness: GatewayHarness;
let port: number;
const clients: SlowClient[] = [];

async function listen(bodies: Partial<BodyBounds> = {}): Promise<void> {
  ({ harness, port } = await listenWithFrames(bodies));
}
afterEach(async () => {
  for (const client of clients.splice(0)) client.abort();
  harness.server.server.closeAllConnections();
  await harness.close();
});

function slowClient(
  ...request: [path: string, headers: Record<string, string | number>, body?: string]
): SlowClient {
  const client = new SlowClient(port, ...request);
  clients.push(client);
  return client;
}

const frameOf = (from: string, length = maxFrameBytes) => ({
  'content-type': frameType,
  'content-length': length,
  'x-forwarded-for': from,
});
const frame = encodeFrame([
  { kind: 'void', callKey: Buffer.alloc(16, 1), confirmationId: Buffer.alloc(16, 2) },
]);

async function postFrame(from: string, key?: string): Promise<number> {
  const headers = { 'content-type': frameType, 'x-forwarded-for': from, ...(key && { authorization: key }) };
  const reply = await fetch(`http://127.0.0.1:${port}/payments`, { method: 'POST', headers, body: frame });
  await reply.arrayBuffer();
  return reply.status;
}

const used = () => [harness.bodies.bytes.used, harness.bodies.arriving.used];

it('reserves the body limit of the route for a body without an announced length', async () => {
  await listen();
  slowClient('/payments', {
    'content-type': frameType,
    'transfer-encoding': 'chunked',
    'x-forwarded-for': '192.0.2.1',
  });
  await eventually(() => expect(used()).toEqual([maxFrameBytes, 1]));
});

it('reserves only the length of a chunked body after it has arrived', async () => {
  await listen();
  harness.answer = () => new Promise((resolve) => setTimeout(() => resolve('{"id":"late"}'), 300));
  const headers = { 'content-type': 'application/json', 'transfer-encoding': 'chunked' };
  const client = slowClient('/v1/samples', headers, 'c\r\n{"name":"x"}\r\n0\r\n\r\n');
  await eventually(() => expect(used()).toEqual([12, 0]));
  expect(client.received).toBe('');
  await eventually(() => expect(client.received).toContain('"late"'));
  await eventually(() => expect(used()).toEqual([0, 0]));
});

it('releases the reservations of bodies that are aborted, too slow, rejected or complete', async () => {
  // Long enough for the frames' bodies to arrive on a busy machine.
  await listen({ timeoutMs: 1_000 });
  for (let round = 0; round < 5; round++) {
    for (let at = 0; at < 40; at++) {
      const from = `192.0.2.${at}`;
      const client = slowClient('/payments', frameOf(from, at % 3 === 0 ? 5 : 900_001 - (at % 3)), 'x');
      if (at % 4 === 0) client.abort();
      if (at % 4 === 1) setTimeout(() => client.abort(), 20);
      if (at % 4 === 2) slowClient('/v1/samples', { ...frameOf(from, 12), 'content-type': 'text/x' }, '{');
    }
    expect(await postFrame('198.51.100.1', 'key-1')).toBe(200);
  }
  await eventually(() => expect(used()).toEqual([0, 0]));
});

describe('the share of one sender', () => {
  const begin = (count: number, headersOf: (at: number) => Record<string, string>) => {
    const type = { 'content-type': 'application/json', 'content-length': 100 };
    for (let at = 0; at < count; at++) slowClient('/v1/samples', { ...type, ...headersOf(at) }, '{');
  };
  const counts = () => [0, 429].map((status) => clients.filter((client) => client.status === status).length);

  it('counts all keys of a merchant together', async () => {
    await listen({ maxArriving: 20 });
    begin(20, (at) => ({ authorization: `key-${at}`, 'x-forwarded-for': `192.0.2.${at}` }));
    await eventually(() => expect(counts()).toEqual([10, 10]));
  });

  it('gives a publishable key the share of an anonymous address', async () => {
    await listen({ maxArriving: 20 });
    begin(20, (at) => ({ authorization: `pk-${at}`, 'x-forwarded-for': '192.0.2.1' }));
    await eventually(() => expect(counts()).toEqual([5, 15]));
  });
});

it('408: closes the connection of a body that has not arrived in time, even if bytes still arrive', async () => {
  await listen({ timeoutMs: 300 });
  const still = slowClient('/payments', frameOf('192.0.2.1'), 'x');
  const dripping = slowClient('/v1/samples', {
    ...frameOf('192.0.2.2', 500),
    'content-type': 'application/json',
  });
  const drip = setInterval(() => dripping.send(' '), 20);
  await eventually(() => expect([still.isClosed, dripping.isClosed]).toEqual([true, true]), {
    timeoutMs: 10_000,
  });
  clearInterval(drip);
  expect([still.status, dripping.status]).toEqual([408, 408]);
  expect(used()).toEqual([0, 0]);
  expect(harness.calls).toEqual([]);
});

it('does not close the connection when the reply takes longer than the body time-out', async () => {
  // On a busy machine, the body takes a while to arrive.
  await listen({ timeoutMs: 1_000 });
  harness.answer = () => new Promise((resolve) => setTimeout(() => resolve('{"id":"late"}'), 1_500));
  const reply = await harness.send('POST', '/v1/samples', { body: '{"name":"x"}' });
  expect(reply.statusCode).toBe(200);
  const client = slowClient(
    '/v1/samples',
    { 'content-type': 'application/json', 'content-length': 12 },
    '{"name":"x"}',
  );
  await eventually(() => expect(client.received).toContain('"late"'));
});

describe('413: a JSON body of more than 64 KiB', () => {
  const body = JSON.stringify({ name: 'x'.repeat(64 * 1024) });
  const headers = { 'content-type': 'application/json' };
  const chunked = { ...headers, 'transfer-encoding': 'chunked' };
  const sentence =
    'The body of an unauthenticated request must not be larger than 64 KiB. Send an API key or a wallet, or a smaller body.';
  beforeEach(() => listen());

  it('rejects an announced length before the body is sent', async () => {
    const client = slowClient('/v1/samples', { ...headers, 'content-length': body.length });
    await eventually(() => expect(client.received).toContain(sentence));
    expect(client.status).toBe(413);
  });

  it('rejects a body in chunks', async () => {
    const chunks = `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
    const client = slowClient('/v1/samples', chunked, chunks);
    await eventually(() => expect(client.received).toContain(sentence));
    expect(harness.calls).toEqual([]);
  });

  it('accepts the body from a client with a key', async () => {
    const reply = await harness.send('POST', '/v1/samples', { body, headers: { authorization: 'key-1' } });
    expect(reply.statusCode).toBe(200);
  });
});
