import { eventually } from '@tollbridge/testing';
import { randomUUID } from 'node:crypto';
import { Api } from './http';
import { Payer } from './payer';
import { Swapper } from './swapper';
import { swapCases, type SwapsHarness } from './swaps.cases';
import { Harness } from './harness';

let harness: Harness;
let payer: Payer;
let swapper: Swapper;
let secret: string;
const forSwaps = {} as SwapsHarness;

beforeAll(async () => {
  harness = await Harness.start();
  const api = await Api.at(harness.gateway);
  payer = await Payer.in(api);
  swapper = await Swapper.in(api);
  secret = payer.sandbox.merchant.secret;
  Object.assign(forSwaps, { gateway: harness.gateway, swapper });
}, 180_000);

afterAll(async () => {
  swapper?.close();
  payer?.close();
  await harness?.remove();
}, 60_000);

// Here, since a harness of their own would take longer to start than they take; first, before processes are killed.
describe('swaps', () => swapCases(forSwaps));

interface Raw {
  status: number;
  text: string;
  isReplayed: boolean;
}

async function post(path: string, body: unknown, key: string, credential = secret): Promise<Raw> {
  const headers = {
    'content-type': 'application/json',
    'idempotency-key': key,
    ...(credential && { authorization: `Bearer ${credential}` }),
  };
  const reply = await fetch(harness.gateway + path, { method: 'POST', headers, body: JSON.stringify(body) });
  return {
    status: reply.status,
    text: await reply.text(),
    isReplayed: reply.headers.get('idempotent-replayed') === 'true',
  };
}

/** Kills a process of this harness, and waits until it is there again. */
async function killed(victim: string): Promise<void> {
  const before = harness.state.pids[victim]!;
  process.kill(before, 'SIGKILL');
  const isBack = async (): Promise<void> => {
    expect(harness.state.pids[victim]).not.toBe(before);
    const { management } = harness.state.urls;
    expect((await fetch(`${management[victim]}/health/ready`)).status).toBe(200);
    expect((await fetch(`${harness.gateway}/health/ready`)).status).toBe(200);
  };
  await eventually(isBack, { timeoutMs: 30_000, everyMs: 50 });
}

const unknownQuote = {
  quoteId: '01a1faec-0000-7000-8000-000000000000',
  userAddress: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
};
const usd = 10n ** 6n;
// The simulator of the route provider has no liquidity for this amount.
const unroutable = () => payer.terms({ pay_token: 'USDT', merchant_amount: '25006401' });

it.each<[string, string, string, () => unknown, number]>([
  ['bare', 'pay-orders', '/api/v1/pay/create-order', () => payer.terms(), 200],
  ['bare', 'pay-orders', '/api/v1/pay/create-order', () => unroutable(), 422],
  ['envelope', 'tx-engine', '/v1/quote', () => swapper.wish({ from: 'USDT', to: 'USDC', amount: usd }), 200],
  ['envelope', 'tx-engine', '/v1/transaction/build', () => unknownQuote, 404],
])(
  'a reply in the style %s of %s to %s is repeated byte for byte, after kill -9 of service and gateway too',
  async (_style, service, path, bodyOf, status) => {
    const [key, body] = [randomUUID(), bodyOf()];
    const first = await post(path, body, key);
    expect(first).toMatchObject({ status, isReplayed: false });
    const again = await post(path, body, key);
    await killed(service);
    const afterService = await eventually(() => post(path, body, key), { timeoutMs: 10_000 });
    await killed('gateway');
    const afterGateway = await post(path, body, key);
    for (const reply of [again, afterService, afterGateway])
      expect(reply).toEqual({ ...first, isReplayed: true });
    const other = await post(path, { ...(body as object), ...changeOf(path) }, key);
    expect(other.status).toBe(422);
    expect(other.text).toContain('IDEMPOTENCY_KEY_REUSED');
  },
  120_000,
);

/** What makes a body another one. */
const changeOf = (path: string): object =>
  ({
    '/api/v1/pay/create-order': { merchant_id: 'another' },
    '/v1/quote': { slippageBps: 77 },
    '/v1/transaction/build': { skipApprovals: true },
  })[path]!;

it('creates one order for 50 concurrent equal calls while processes are killed', async () => {
  const [key, body] = [randomUUID(), payer.terms()];
  const orderIds = async (): Promise<string[]> => {
    const reply = await fetch(`${harness.gateway}/api/v1/pay/orders?limit=100&payer=${payer.address}`);
    const { orders } = (await reply.json()) as { orders: { order_id: string }[] };
    return orders.map((order) => order.order_id);
  };
  const before = await orderIds();
  const texts = new Set<string>();
  const call = async (): Promise<void> => {
    // As a client does: what was not answered is asked again, under the same key.
    for (;;) {
      const reply = await post('/api/v1/pay/create-order', body, key).catch(() => undefined);
      if (reply?.status === 200) return void texts.add(reply.text);
      expect([undefined, 409, 503, 504]).toContain(reply?.status);
      await new Promise((wait) => setTimeout(wait, 100));
    }
  };
  const calls = Array.from({ length: 50 }, call);
  await killed('pay-orders');
  await Promise.all(calls);
  expect(texts.size).toBe(1);
  const { order_id: id } = JSON.parse([...texts][0]!);
  expect((await orderIds()).filter((it) => !before.includes(it))).toEqual([id]);
}, 120_000);

it('accepts the same key from two callers, and rejects a key of 300 characters', async () => {
  const [key, body] = [randomUUID(), payer.terms()];
  const [one, other] = [
    await post('/api/v1/pay/create-order', body, key),
    await post('/api/v1/pay/create-order', body, key, ''),
  ];
  expect([one.isReplayed, other.isReplayed]).toEqual([false, false]);
  expect(other.text).not.toBe(one.text);
  expect((await post('/api/v1/pay/create-order', body, 'x'.repeat(300))).status).toBe(400);
});
