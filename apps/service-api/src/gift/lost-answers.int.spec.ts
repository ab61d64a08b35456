import { giftApi } from '@tollbridge/contracts';
import type { BusOperation } from '@tollbridge/rpc';
import { eventually, runProgram } from '@tollbridge/testing';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { leaseMs } from '../purchases/purchases';
import { GiftHarness } from '../testing/gift-harness';
import { reloadlySettleMs } from './providers/reloadly/reloadly.config';
import { aBill, aGiftCard, aTopUp } from './testing/gift-orders.builder';

const { orderGiftCard, topUpPhone, payBill, listGiftCards, getServiceBalance } = giftApi.operations;

let harness: GiftHarness;
beforeAll(async () => {
  // These time-outs are shorter than the simulator's slow replies.
  harness = await GiftHarness.start({ RELOADLY_READ_SECONDS: '5', RELOADLY_PURCHASE_SECONDS: '2' });
});
afterAll(() => harness?.close());

type Asked = [string, BusOperation<any, any>, (cents: number, reference: string) => object];
const purchases: Asked[] = [
  [
    'a gift card',
    orderGiftCard,
    (cents, reference) => aGiftCard({ unitPrice: 10 + cents / 100, customIdentifier: reference }),
  ],
  [
    'a top-up',
    topUpPhone,
    (cents, reference) => aTopUp({ amount: 10 + cents / 100, customIdentifier: reference }),
  ],
  [
    'a bill',
    payBill,
    (cents, reference) => aBill({ amount: 5_000 + cents / 100, customIdentifier: reference }),
  ],
];

const stored = async (reference: string) =>
  (
    await harness.database.query<{ id: string; status: string }>(
      'SELECT id, status FROM purchases WHERE reference = $1',
      [reference],
    )
  )[0]!;
const madeFor = async (id: string) =>
  (await harness.provider.pool.query('SELECT 1 FROM reloadly_transactions WHERE identifier = $1', [id]))
    .rowCount;

/** Advances the clock until the worker has reconciled the purchase. */
async function untilStatus(reference: string, status: string): Promise<void> {
  await eventually(async () => {
    harness.clock.advance(5_000);
    expect(await stored(reference)).toMatchObject({ status });
  });
}

const lost: [string, number][] = [
  ['status 500 after the charge', 64],
  ['a broken connection', 70],
  ['a time-out', 63],
];

describe.each(purchases)('%s with a lost reply', (_name, operation, request) => {
  it.each(lost)('reconciles the purchase and buys once: %s', async (_how, cents) => {
    const reference = randomUUID();
    const before = harness.purchaseRequests;
    const began = performance.now();
    const failure = await harness.failureOf(operation, request(cents, reference));
    expect(failure).toMatchObject({ code: 'OUTCOME_UNKNOWN', status: 504 });
    // The configured time-out of 2 s applies, instead of the provider's 95 s.
    expect(performance.now() - began).toBeLessThan(30_000);
    // Repeated calls do not buy again.
    const repeats = await Promise.allSettled(
      Array.from({ length: 5 }, () => harness.call(operation, request(cents, reference))),
    );
    for (const reply of repeats)
      if (reply.status === 'rejected') expect(reply.reason).toMatchObject({ code: 'OUTCOME_UNKNOWN' });
    await untilStatus(reference, 'completed');
    const { id } = await stored(reference);
    const repeated = await harness.call(operation, request(cents, reference));
    expect(repeated).toMatchObject({ id, status: 'SUCCESSFUL', customIdentifier: reference });
    expect([harness.purchaseRequests - before, await madeFor(id)]).toEqual([1, 1]);
  });

  it('declines the purchase only when the provider can no longer process it', async () => {
    const reference = randomUUID();
    const failing = request(68, reference);
    expect(await harness.failureOf(operation, failing)).toMatchObject({ code: 'OUTCOME_UNKNOWN' });
    harness.clock.advance(leaseMs + reloadlySettleMs - 60_000);
    await eventually(async () => {
      const rows = await harness.database.query<{ checks: number; status: string }>(
        'SELECT checks, status FROM purchases WHERE reference = $1',
        [reference],
      );
      expect(rows[0]!.checks).toBeGreaterThan(0);
      expect(rows[0]!.status).toBe('unknown');
    });
    await untilStatus(reference, 'refused');
    expect(await harness.failureOf(operation, request(68, reference))).toMatchObject({
      code: 'OUTCOME_UNKNOWN',
    });
    expect(await madeFor((await stored(reference)).id)).toBe(0);
  });
});

it('returns an order without codes while they cannot be read', async () => {
  const request = aGiftCard({ unitPrice: 10.72, customIdentifier: randomUUID() });
  const order = await harness.call(orderGiftCard, request);
  expect(order).toMatchObject({ status: 'SUCCESSFUL', cards: null });
  harness.clock.advance(3_000);
  const { cards } = await harness.call(orderGiftCard, request);
  expect(cards).toHaveLength(1);
});

it('returns 502 while the provider is down, and recovers with it', async () => {
  harness.simulator.outage.mode = 'down';
  const before = await harness.bought();
  try {
    expect(await harness.failureOf(listGiftCards, { country: 'GB' })).toMatchObject({
      code: 'UPSTREAM_UNAVAILABLE',
      status: 502,
    });
    harness.simulator.outage.mode = 'slow';
    const began = performance.now();
    expect(await harness.failureOf(getServiceBalance, {})).toMatchObject({ code: 'UPSTREAM_UNAVAILABLE' });
    expect(performance.now() - began).toBeLessThan(30_000);
  } finally {
    harness.simulator.outage.mode = 'up';
  }
  expect(await harness.bought()).toBe(before);
  await eventually(() => harness.call(listGiftCards, { country: 'GB' }));
});

const program = `
  import { start } from ${JSON.stringify(join(__dirname, '../start'))};
  start().then(() => process.stdout.write('ready'));
`;

it('reconciles a purchase of a process that was killed', async () => {
  const reference = randomUUID();
  await harness.stopApps();
  // The provider replies after the process has ended.
  const patient = { LOG_LEVEL: 'silent', RELOADLY_PURCHASE_SECONDS: '90' };
  const child = runProgram(program, { ...harness.environment(), ...patient });
  await eventually(() => expect(child.output() + child.errors()).toContain('ready'));
  // This call gets no reply.
  void harness
    .call(orderGiftCard, aGiftCard({ unitPrice: 20.63, customIdentifier: reference }))
    .catch(() => undefined);
  await eventually(async () => expect(await madeFor((await stored(reference)).id)).toBe(1));
  child.process.kill('SIGKILL');
  await child.ended;
  const { id, status } = await stored(reference);
  expect(status).toBe('buying');
  await harness.startApp();
  // The lease must expire first.
  harness.clock.set(Math.max(harness.clock.now(), Date.now()) + leaseMs + 1_000);
  await untilStatus(reference, 'completed');
  expect(
    await harness.call(orderGiftCard, aGiftCard({ unitPrice: 20.63, customIdentifier: reference })),
  ).toMatchObject({
    id,
    status: 'SUCCESSFUL',
  });
  expect(await madeFor(id)).toBe(1);
});
