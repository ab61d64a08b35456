import {
  giftApi,
  type GiftCardOrderRequest,
  type PayBillRequest,
  type TopUpRequest,
} from '@tollbridge/contracts';
import type { BusOperation } from '@tollbridge/rpc';
import { eventually, runProgram } from '@tollbridge/testing';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
// One way for all tests to try a process of its own.

import { leaseMs } from '../purchases/purchases';
import { GiftHarness } from '../testing/gift-harness';
import { settleMs } from './gift-cards';

jest.setTimeout(40_000);

const { orderGiftCard, topUpPhone, payBill, listGiftCards, getServiceBalance } = giftApi.operations;

let harness: GiftHarness;
beforeAll(async () => {
  harness = await GiftHarness.start();
}, 60_000);
afterAll(() => harness?.close(), 30_000);

const card = (unitPrice: number, customIdentifier: string): GiftCardOrderRequest => ({
  ...{ productId: 1001, quantity: 1, unitPrice, senderName: 'Ada', customIdentifier },
});
const topUp = (amount: number, customIdentifier: string): TopUpRequest => ({
  ...{ operatorId: 3001, amount, customIdentifier },
  recipientPhone: { countryCode: 'NG', number: '08031234567' },
});
const bill = (amount: number, customIdentifier: string): PayBillRequest => ({
  ...{
    subscriberAccountNumber: '04223568280',
    amount,
    billerId: 5001,
    useLocalAmount: true,
    customIdentifier,
  },
});

type Asked = [string, BusOperation<any, any>, (cents: number, reference: string) => object];
const purchases: Asked[] = [
  ['a gift card', orderGiftCard, (cents, reference) => card(10 + cents / 100, reference)],
  ['a top-up', topUpPhone, (cents, reference) => topUp(10 + cents / 100, reference)],
  ['a bill', payBill, (cents, reference) => bill(5_000 + cents / 100, reference)],
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

/** Lets time pass until the worker has found out. */
async function untilKnown(reference: string, status: string): Promise<void> {
  await eventually(async () => {
    harness.clock.advance(5_000);
    expect(await stored(reference)).toMatchObject({ status });
  });
}

const lost: [string, number][] = [
  ['after it was charged (500)', 64],
  ['by a broken connection', 70],
  ['by a provider that is too slow', 63],
];

describe.each(purchases)('%s whose answer is lost', (_name, operation, request) => {
  it.each(lost)('%s is found, was bought once, and is told when asked for again', async (_how, cents) => {
    const reference = randomUUID();
    const before = harness.askedToSell;
    const began = performance.now();
    const failure = await harness.failureOf(operation, request(cents, reference));
    expect(failure).toMatchObject({ code: 'OUTCOME_UNKNOWN', status: 504 });
    // A time-out of one second, and not of the provider's 95.
    expect(performance.now() - began).toBeLessThan(5_000);
    // Asked again at once, or many times: it is not bought again.
    const again = await Promise.allSettled(
      Array.from({ length: 5 }, () => harness.call(operation, request(cents, reference))),
    );
    for (const reply of again)
      if (reply.status === 'rejected') expect(reply.reason).toMatchObject({ code: 'OUTCOME_UNKNOWN' });
    await untilKnown(reference, 'completed');
    const { id } = await stored(reference);
    const told = await harness.call(operation, request(cents, reference));
    expect(told).toMatchObject({ id, status: 'SUCCESSFUL', customIdentifier: reference });
    expect([harness.askedToSell - before, await madeFor(id)]).toEqual([1, 1]);
  });

  it('and nothing was bought: that is said only when the provider cannot be at it any more', async () => {
    const reference = randomUUID();
    const failing = request(68, reference);
    expect(await harness.failureOf(operation, failing)).toMatchObject({ code: 'OUTCOME_UNKNOWN' });
    harness.clock.advance(leaseMs + settleMs - 60_000);
    await eventually(async () => {
      const rows = await harness.database.query<{ checks: number; status: string }>(
        'SELECT checks, status FROM purchases WHERE reference = $1',
        [reference],
      );
      expect(rows[0]!.checks).toBeGreaterThan(0);
      expect(rows[0]!.status).toBe('unknown');
    });
    await untilKnown(reference, 'refused');
    expect(await harness.failureOf(operation, request(68, reference))).toMatchObject({
      code: 'OUTCOME_UNKNOWN',
    });
    expect(await madeFor((await stored(reference)).id)).toBe(0);
  });
});

it('codes that cannot be read yet do not hide what was bought', async () => {
  const request = card(10.72, randomUUID());
  const order = await harness.call(orderGiftCard, request);
  expect(order).toMatchObject({ status: 'SUCCESSFUL', cards: null });
  harness.clock.advance(3_000);
  const { cards } = await harness.call(orderGiftCard, request);
  expect(cards).toHaveLength(1);
});

it('a provider that is away is 502, nothing is sold, and it is back when it is', async () => {
  harness.simulator.outage.mode = 'down';
  const before = await harness.bought();
  try {
    expect(await harness.failureOf(listGiftCards, { country: 'GB' })).toMatchObject({
      ...{ code: 'UPSTREAM_UNAVAILABLE', status: 502 },
    });
    harness.simulator.outage.mode = 'slow';
    const began = performance.now();
    expect(await harness.failureOf(getServiceBalance, {})).toMatchObject({ code: 'UPSTREAM_UNAVAILABLE' });
    expect(performance.now() - began).toBeLessThan(5_000);
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

it('an app that is killed while it buys: another finds what was bought', async () => {
  const reference = randomUUID();
  await harness.stopApps();
  // Its provider answers when it is long gone.
  const patient = { LOG_LEVEL: 'silent', RELOADLY_PURCHASE_SECONDS: '90' };
  const child = runProgram(program, { ...harness.environment(), ...patient });
  await eventually(() => expect(child.output() + child.errors()).toContain('ready'), { timeoutMs: 30_000 });
  // Nobody answers this call any more.
  void harness.call(orderGiftCard, card(20.63, reference)).catch(() => undefined);
  await eventually(async () => expect(await madeFor((await stored(reference)).id)).toBe(1));
  child.process.kill('SIGKILL');
  await child.ended;
  const { id, status } = await stored(reference);
  expect(status).toBe('buying');
  await harness.startApp();
  // Nobody else may be at it before its lease has ended.
  harness.clock.set(Math.max(harness.clock.now(), Date.now()) + leaseMs + 1_000);
  await untilKnown(reference, 'completed');
  expect(await harness.call(orderGiftCard, card(20.63, reference))).toMatchObject({
    id,
    status: 'SUCCESSFUL',
  });
  expect(await madeFor(id)).toBe(1);
});
