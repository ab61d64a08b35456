import { eventually } from '@tollbridge/testing';
import { randomUUID } from 'node:crypto';
import type { Harness } from './harness';
import type { Payer } from './payer';
import { swapCases, type SwapsHarness } from './swaps.cases';

/** A harness that other tests use too: its fields are there when the first case runs. */
export interface RepeatHarness extends SwapsHarness {
  harness: Harness;
  payer: Payer;
}

interface Raw {
  status: number;
  text: string;
  isReplayed: boolean;
}

/** A request with an idempotency key. */
interface Repeatable {
  path: string;
  body: unknown;
  key: string;
  /** Of the sandbox's merchant by default; empty for none. */
  credential?: string;
}

const createOrder = '/api/v1/pay/create-order';
const unknownQuote = {
  quoteId: '01a1faec-0000-7000-8000-000000000000',
  userAddress: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
};
const usd = 10n ** 6n;

/** What makes a body another one. */
const changes: Record<string, object> = {
  [createOrder]: { merchant_id: 'another' },
  '/v1/quote': { slippageBps: 77 },
  '/v1/transaction/build': { skipApprovals: true },
};

/** Swaps, then calls that are repeated while the processes that answer them are killed. */
export function repeatCases(it: RepeatHarness): void {
  describe('swaps', () => swapCases(it));
  repeatedReplies(it);
  concurrentCalls(it);
  test('accepts the same key from two callers, and rejects a key of 300 characters', async () => {
    const call = { path: createOrder, body: it.payer.terms(), key: randomUUID() };
    const [one, other] = [await post(it, call), await post(it, { ...call, credential: '' })];
    expect([one.isReplayed, other.isReplayed]).toEqual([false, false]);
    expect(other.text).not.toBe(one.text);
    expect((await post(it, { ...call, key: 'x'.repeat(300) })).status).toBe(400);
  });
}

function repeatedReplies(it: RepeatHarness): void {
  // The simulator of the route provider has no liquidity for this amount.
  const unroutable = () => it.payer.terms({ pay_token: 'USDT', merchant_amount: '25006401' });
  const wish = () => it.swapper.wish({ from: 'USDT', to: 'USDC', amount: usd });

  test.each<[string, string, string, () => unknown, number]>([
    ['bare', 'pay-orders', createOrder, () => it.payer.terms(), 200],
    ['bare', 'pay-orders', createOrder, () => unroutable(), 422],
    ['envelope', 'tx-engine', '/v1/quote', wish, 200],
    ['envelope', 'tx-engine', '/v1/transaction/build', () => unknownQuote, 404],
  ])(
    'a reply in the style %s of %s to %s is repeated byte for byte, after kill -9 of service and gateway too',
    async (_style, service, path, bodyOf, status) => {
      const call = { path, body: bodyOf(), key: randomUUID() };
      const first = await post(it, call);
      expect(first).toMatchObject({ status, isReplayed: false });
      const again = await post(it, call);
      await killed(it.harness, service);
      const afterService = await eventually(() => post(it, call), { timeoutMs: 10_000 });
      await killed(it.harness, 'gateway');
      const afterGateway = await post(it, call);
      for (const reply of [again, afterService, afterGateway])
        expect(reply).toEqual({ ...first, isReplayed: true });
      const other = await post(it, { ...call, body: { ...(call.body as object), ...changes[path] } });
      expect(other.status).toBe(422);
      expect(other.text).toContain('IDEMPOTENCY_KEY_REUSED');
    },
    120_000,
  );
}

function concurrentCalls(it: RepeatHarness): void {
  const orderIds = async (): Promise<string[]> => {
    const { address } = it.payer;
    const reply = await fetch(`${it.harness.gateway}/api/v1/pay/orders?limit=100&payer=${address}`);
    const { orders } = (await reply.json()) as { orders: { order_id: string }[] };
    return orders.map((order) => order.order_id);
  };

  test('creates one order for 50 concurrent equal calls while processes are killed', async () => {
    const call = { path: createOrder, body: it.payer.terms(), key: randomUUID() };
    const before = await orderIds();
    const texts = new Set<string>();
    const answered = async (): Promise<void> => {
      // As a client does: what was not answered is asked again, under the same key.
      for (;;) {
        const reply = await post(it, call).catch(() => undefined);
        if (reply?.status === 200) return void texts.add(reply.text);
        expect([undefined, 409, 503, 504]).toContain(reply?.status);
        await new Promise((wait) => setTimeout(wait, 100));
      }
    };
    const calls = Array.from({ length: 50 }, answered);
    await killed(it.harness, 'pay-orders');
    await Promise.all(calls);
    expect(texts.size).toBe(1);
    const { order_id: id } = JSON.parse([...texts][0]!);
    expect((await orderIds()).filter((found) => !before.includes(found))).toEqual([id]);
  }, 120_000);
}

async function post(
  { harness, payer }: RepeatHarness,
  { path, body, key, credential }: Repeatable,
): Promise<Raw> {
  const secret = credential ?? payer.sandbox.merchant.secret;
  const headers = {
    'content-type': 'application/json',
    'idempotency-key': key,
    ...(secret && { authorization: `Bearer ${secret}` }),
  };
  const reply = await fetch(harness.gateway + path, { method: 'POST', headers, body: JSON.stringify(body) });
  return {
    status: reply.status,
    text: await reply.text(),
    isReplayed: reply.headers.get('idempotent-replayed') === 'true',
  };
}

/** Kills a process of this harness, and waits until it is there again. */
async function killed(harness: Harness, victim: string): Promise<void> {
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
