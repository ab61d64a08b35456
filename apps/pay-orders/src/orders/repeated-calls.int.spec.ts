import { ordersApi, quotesApi, type CreateOrderReply } from '@tollbridge/contracts';
import { callContext, DomainError, idempotencyKeyOf, type CallContext } from '@tollbridge/rpc';
import { ManualClock } from '@tollbridge/testing';
import { PayOrders } from '../testing/pay-orders';

const { createOrder, reportTransaction } = ordersApi.operations;
const hourMs = 3_600_000;
// The time that a caller waits, with a margin.
const leaseMs = createOrder.timeoutMs + 5_000;
const across = { pay_blockchain: 'eip155:42161', pay_token: 'WETH', merchant_amount: '25000000' };

const clock = new ManualClock();
let harness: PayOrders;
let made = 0;

beforeAll(async () => {
  harness = await PayOrders.start({ clock, otherChainId: 42161, routes: 'simulated', instances: 2 });
});
afterAll(() => harness?.close());

const keyed = (text = `key-${++made}`, caller = 'address:192.0.2.1'): CallContext => ({
  ...callContext(),
  idempotencyKey: idempotencyKeyOf(caller, text),
});
const newHash = (): string => `0x${(++made).toString(16).padStart(64, '0')}`;
const report = (id: string, hash: string, context: CallContext): Promise<string> =>
  harness.call(reportTransaction, { id, tx_hash: hash }, context).then(
    ({ status }) => status,
    (error: DomainError) => error.code,
  );
const codeOf = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => 'OK',
    (error: DomainError) => error.code,
  );

async function orders(): Promise<number> {
  const [row] = await harness.database.query<{ count: string }>('SELECT count(*) FROM orders');
  return Number(row!.count);
}

/** Turns the newest claim into the claim of a dead process: no write, no reply. */
async function claimOfTheDead(context: CallContext, changes = {}): Promise<void> {
  // Advances the clock, so that this claim is the newest.
  clock.advance(1);
  await harness.createOrder(changes, context);
  await harness.database.query(`
    UPDATE idempotency_keys SET reply = NULL, answered_at = NULL, failure = NULL, claim = gen_random_uuid()
    WHERE created_at = (SELECT max(created_at) FROM idempotency_keys)`);
}

describe.each<[string, object]>([
  ['a direct order', {}],
  ['an order across chains', across],
])('an idempotency key of %s', (_name, changes) => {
  it('creates once for 50 equal concurrent calls to two replicas, with one reply', async () => {
    const before = await orders();
    const context = keyed();
    const call = (): Promise<CreateOrderReply | string> =>
      harness.createOrder(changes, context).catch((error: DomainError) => error.code);
    const outcomes = await Promise.all(Array.from({ length: 50 }, call));
    expect(await orders()).toBe(before + 1);
    const replies = outcomes.filter((it) => it !== 'IDEMPOTENCY_IN_PROGRESS');
    const [first] = replies as CreateOrderReply[];
    const later = await Promise.all(Array.from({ length: 50 }, call));
    for (const reply of [...replies, ...later]) expect(reply).toEqual(first);
    expect(await harness.eventsOf(first!.order_id)).toEqual(['order-created']);
    expect(await orders()).toBe(before + 1);
  });

  it('replays the reply after a restart, for a day', async () => {
    const context = keyed();
    const first = await harness.createOrder(changes, context);
    await harness.restartApp();
    clock.advance(24 * hourMs - 1);
    expect(await harness.createOrder(changes, context)).toEqual(first);
    clock.advance(1);
    expect((await harness.createOrder(changes, context)).order_id).not.toBe(first.order_id);
  });

  it('creates another one for another caller, and for a call without a key', async () => {
    const one = await harness.createOrder(changes, keyed('order-1', 'key:1'));
    const other = await harness.createOrder(changes, keyed('order-1', 'key:2'));
    const [none, nor] = [await harness.createOrder(changes), await harness.createOrder(changes)];
    expect(new Set([one, other, none, nor].map(({ order_id }) => order_id)).size).toBe(4);
  });

  it('runs in the next process after the lease of a process that died before the write', async () => {
    const context = keyed();
    await claimOfTheDead(context, changes);
    clock.advance(leaseMs - 1);
    const before = await orders();
    expect(await codeOf(harness.createOrder(changes, context))).toBe('IDEMPOTENCY_IN_PROGRESS');
    clock.advance(1);
    const outcomes = await Promise.all(
      Array.from({ length: 10 }, () => codeOf(harness.createOrder(changes, context))),
    );
    expect(outcomes).toContain('OK');
    expect(outcomes.filter((it) => !['IDEMPOTENCY_IN_PROGRESS', 'OK'].includes(it))).toEqual([]);
    expect(await orders()).toBe(before + 1);
  });

  it('stores the reply in the commit that creates the order', async () => {
    const context = keyed();
    // Makes the last statement of the transaction fail.
    await harness.database.query(
      'ALTER TABLE idempotency_keys ADD CONSTRAINT full_disk CHECK (reply IS NULL) NOT VALID',
    );
    const before = await orders();
    expect(await codeOf(harness.createOrder(changes, context))).toBe('INTERNAL_ERROR');
    expect(await orders()).toBe(before);
    await harness.database.query('ALTER TABLE idempotency_keys DROP CONSTRAINT full_disk');
    const reply = await harness.createOrder(changes, context);
    expect(await orders()).toBe(before + 1);
    expect(await harness.createOrder(changes, context)).toEqual(reply);
  });
});

it('rejects other input', async () => {
  const context = keyed();
  await harness.createOrder({}, context);
  const before = await orders();
  expect(await codeOf(harness.createOrder({ merchant_amount: '200000000' }, context))).toBe(
    'IDEMPOTENCY_KEY_REUSED',
  );
  expect(await orders()).toBe(before);
});

it('belongs to one operation', async () => {
  const context = keyed();
  const { order_id: id } = await harness.createOrder({}, context);
  expect(await report(id, newHash(), context)).toBe('settling');
});

it('replays a rejection with its message', async () => {
  const context = keyed();
  const call = (): Promise<unknown> =>
    harness
      .call(createOrder, harness.request({ settle_token: 'DAI' }), context)
      .catch((error: unknown) => error);
  const first = (await call()) as DomainError;
  expect(first).toMatchObject({ code: 'ROUTE_UNAVAILABLE', first: { isReplayed: false } });
  const { message, first: answer } = first;
  clock.advance(hourMs);
  expect(await call()).toMatchObject({ message, first: { ...answer, isReplayed: true } });
});

describe('an idempotency key of a report', () => {
  it('accepts a report once for 50 equal concurrent calls, with one reply', async () => {
    const { order_id: id } = await harness.createOrder();
    const [context, hash] = [keyed(), newHash()];
    const outcomes = await Promise.all(Array.from({ length: 50 }, () => report(id, hash, context)));
    expect(outcomes).toContain('settling');
    expect(outcomes.filter((it) => !['IDEMPOTENCY_IN_PROGRESS', 'settling'].includes(it))).toEqual([]);
    expect(await report(id, hash, context)).toBe('settling');
    expect(await harness.eventsOf(id)).toEqual(['order-created', 'order-settling']);
    // A report with another key is a second report.
    expect(await report(id, hash, keyed())).toBe('ORDER_NOT_WAITING');
  });

  it('replays a rejected report', async () => {
    const [taken, free] = [await harness.createOrder(), await harness.createOrder()];
    const [context, hash] = [keyed(), newHash()];
    expect(await report(taken.order_id, hash, keyed())).toBe('settling');
    expect(await report(free.order_id, hash, context)).toBe('TX_ALREADY_REPORTED');
    await harness.database.query('DELETE FROM tx_claims');
    expect(await report(free.order_id, hash, context)).toBe('TX_ALREADY_REPORTED');
    expect(await report(free.order_id, hash, keyed())).toBe('settling');
  });

  it('replays the report of a deposit', async () => {
    const { order_id: id } = await harness.createOrder(across);
    const [context, hash] = [keyed(), newHash()];
    expect([await report(id, hash, context), await report(id, hash, context)]).toEqual([
      'settling',
      'settling',
    ]);
    expect(await report(id, newHash(), context)).toBe('IDEMPOTENCY_KEY_REUSED');
  });
});

it('an idempotency key of a quote replays the quote', async () => {
  const context = keyed();
  const { pay_blockchain, pay_token, settle_chain, settle_token } = harness.request();
  const request = { pay_blockchain, pay_token, settle_chain, settle_token, settle_amount: '1000000' };
  const first = await harness.call(quotesApi.operations.quote, request, context);
  clock.advance(60_000);
  expect(await harness.call(quotesApi.operations.quote, request, context)).toEqual(first);
});

it('idempotency keys store neither client, key nor reply in clear text', async () => {
  const context = keyed('a-key-text', 'key:a-caller');
  await harness.createOrder({ merchant_id: 'some-merchant' }, context);
  const rows = await harness.database.query('SELECT key, input, claim FROM idempotency_keys');
  for (const text of ['a-key-text', 'a-caller', 'some-merchant', context.idempotencyKey!])
    expect(JSON.stringify(rows)).not.toContain(text);
});
