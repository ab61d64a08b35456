import { DomainError, keyPrincipal } from '@tollbridge/rpc';
import {
  decodeFrame,
  encodeFrame,
  encodeOutcomes,
  maxFrameBytes,
  maxFrameItems,
  type FrameItem,
} from '@tollbridge/nanopay-protocol';
import type { AdmissionRule } from '../routes/admission-rule';
import { GatewayHarness } from '../testing/gateway-harness';
import { PaymentFramesModule } from './payment-frames.module';
import { frameType, paymentFrameRoutes } from './payment-frames.routes';

const asked: { subject: string; frame: Buffer; timeoutMs: number }[] = [];
const outcomes = encodeOutcomes([{ status: 'unknown' }]);
let answer: () => Promise<{ data: Uint8Array }>;
let harness: GatewayHarness;
const bus = {
  request: (subject: string, frame: Uint8Array, { timeoutMs }: { timeoutMs: number }) => {
    asked.push({ subject, frame: Buffer.from(frame), timeoutMs });
    return answer();
  },
};

beforeAll(async () => {
  harness = await GatewayHarness.open({
    imports: [PaymentFramesModule],
    routes: paymentFrameRoutes,
    bus,
  });
});
afterAll(() => harness.close());
beforeEach(() => {
  asked.splice(0);
  answer = async () => ({ data: outcomes });
  harness.admit = () => undefined;
});

const item: FrameItem = { kind: 'void', callKey: Buffer.alloc(16, 1), confirmationId: Buffer.alloc(16, 2) };
const frame = encodeFrame([item]);
const post = (payload: Buffer | undefined, headers: Record<string, string> = { 'content-type': frameType }) =>
  harness.server.inject({
    method: 'POST',
    url: '/payments',
    headers,
    ...(payload !== undefined && { payload }),
  });

it('forwards a frame unchanged, and returns its outcomes', async () => {
  const reply = await post(frame);
  expect([reply.statusCode, reply.headers['content-type']]).toEqual([200, frameType]);
  expect(reply.rawPayload).toEqual(outcomes);
  expect(asked).toEqual([{ subject: 'op.tee.payments', frame, timeoutMs: 5_000 }]);
});

it('accepts a full frame', async () => {
  const full = encodeFrame(Array.from({ length: maxFrameItems }, () => item));
  expect((await post(full)).statusCode).toBe(200);
  expect(decodeFrame(asked[0]!.frame)).toHaveLength(maxFrameItems);
});

it.each<[string, Buffer | undefined]>([
  ['missing', undefined],
  ['empty', Buffer.alloc(0)],
  ['JSON', Buffer.from('{"kind":"charge"}')],
  ['truncated', frame.subarray(0, -1)],
  ['longer than its header says', Buffer.concat([frame, Buffer.alloc(1)])],
  ['of another version', Buffer.concat([Buffer.of(2), frame.subarray(1)])],
  [
    'above the maximum number of items',
    Buffer.concat([Buffer.of(1, 2, 1), Buffer.alloc(34 * (maxFrameItems + 1), 2)]),
  ],
])('400: rejects a body that is %s', async (_, body) => {
  const reply = await post(body);
  expect([reply.statusCode, reply.json().code]).toEqual([400, 'VALIDATION_ERROR']);
  expect(asked).toEqual([]);
});

it('413 and 415: rejects a body that is too large, compressed, or of another type', async () => {
  const large = await post(Buffer.alloc(maxFrameBytes + 1));
  expect([large.statusCode, large.json().error]).toEqual([
    413,
    'The frame is larger than 900000 bytes. Split it.',
  ]);
  for (const type of ['application/json', '']) {
    const reply = await post(Buffer.from('{}'), { 'content-type': type });
    expect([reply.statusCode, reply.json().error]).toEqual([
      415,
      'Send the body as application/octet-stream.',
    ]);
  }
  const packed = { 'content-type': frameType, 'content-encoding': 'gzip' };
  expect((await post(frame, packed)).statusCode).toBe(415);
  expect(asked).toEqual([]);
  // The other routes still accept JSON.
  expect((await harness.send('POST', '/v1/samples', { body: '{"name":"blue"}' })).statusCode).toBe(200);
});

it('503: asks the client to retry when the ledger does not answer, and releases the slot of the frame', async () => {
  answer = () => Promise.reject(new Error('TIMEOUT'));
  const reply = await post(frame);
  expect([reply.statusCode, reply.headers['retry-after'], reply.json().code]).toEqual([
    503,
    '1',
    'SERVICE_UNAVAILABLE',
  ]);
  // More frames than slots.
  for (let time = 0; time < 70; time++) await post(frame);
  answer = async () => ({ data: outcomes });
  expect((await post(frame)).statusCode).toBe(200);
});

const secretOf = (owner: string): string => keyPrincipal(`key-of-${owner}`, owner, 'secret');
const publishable = keyPrincipal('key-1', '0xOwner', 'publishable');

it.each<[string, number, number, (at: number) => string]>([
  ['503: rejects a frame above the number of slots', 64, 503, (at) => secretOf(`0xOwner${at % 2}`)],
  ['429: rejects a frame above the share of a merchant', 32, 429, () => secretOf('0xOwner')],
  ['429: rejects a frame above the share of a publishable key', 16, 429, () => publishable],
  ['429: rejects a frame above the share of an anonymous address', 16, 429, () => 'public'],
])('%s', async (_title, places, rejectionStatus, principalOf) => {
  const waiting: (() => void)[] = [];
  answer = () => new Promise((resolve) => waiting.push(() => resolve({ data: outcomes })));
  let sent = 0;
  harness.admit = (_operation, { call }) => void (call.principal = principalOf(sent++));
  const first = Array.from({ length: places }, () => post(frame));
  while (waiting.length < places) await new Promise((resolve) => setImmediate(resolve));
  harness.admit = (_operation, { call }) =>
    void (call.principal = rejectionStatus === 503 ? secretOf('0xOther') : principalOf(sent));
  const rejected = await post(frame);
  expect([rejected.statusCode, rejected.headers['retry-after']]).toEqual([rejectionStatus, '1']);
  expect(asked).toHaveLength(places);
  for (const settle of waiting) settle();
  expect(new Set((await Promise.all(first)).map(({ statusCode }) => statusCode))).toEqual(new Set([200]));
});

it('needs no credentials, counts a frame as one expensive call, and rejects it above the limit before reading the body', async () => {
  const seen: AdmissionRule[] = [];
  harness.admit = (operation) => {
    seen.push(operation);
    throw new DomainError('RATE_LIMIT_EXCEEDED', undefined, { retryAfterSeconds: 7 });
  };
  const reply = await post(Buffer.alloc(maxFrameBytes + 1));
  expect([reply.statusCode, reply.headers['retry-after']]).toEqual([429, '7']);
  expect(seen).toMatchObject([{ auth: 'public', isCostly: true }]);
  expect(asked).toEqual([]);
  expect((await harness.send('GET', '/payments')).statusCode).toBe(405);
});
