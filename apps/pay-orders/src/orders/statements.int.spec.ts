import { ordersApi } from '@tollbridge/contracts';
import { eventually, ManualClock } from '@tollbridge/testing';
import { Wallet } from 'ethers';
import { PayOrders } from '../testing/pay-orders';
import { OrderExpiry } from './orders.worker';

const confirmations = 2;
const clock = new ManualClock();
let harness: PayOrders;

beforeAll(async () => {
  harness = await PayOrders.start({ clock, confirmations });
});
afterAll(() => harness?.close());

const large = ['orders', 'tx_claims', 'payments'];
const busyPayer = Wallet.createRandom().address;

/** Inserts 100,000 old orders: a tenth of one payer, 5,000 waiting, and 5,000 with invented transactions. */
async function fill(): Promise<void> {
  const { query } = harness.database;
  await query(
    `INSERT INTO orders (id, status, method, pay_chain, pay_token, settle_chain, settle_token, merchant_address,
       merchant_amount, fee_receiver, fee_amount, merchant_id, payer_address, contract_address, token_in_address, pay_tx,
       pay_tx_since, judge_at, paid_height, created_at, updated_at, expires_at)
     SELECT gen_random_uuid(), CASE WHEN n <= 100000 THEN 'settled' WHEN n <= 105000 THEN 'waiting_payment' ELSE 'settling' END,
       'Direct', $1, 'USDC', $1, 'USDC', $2, 1, $2, 0, 'm', CASE WHEN n % 10 = 0 THEN $2 ELSE 'payer-' || n END, $2, $2,
       CASE WHEN n > 105000 THEN 'tx-' || n END, CASE WHEN n > 105000 THEN $3::timestamptz END,
       CASE WHEN n > 105000 THEN $3::timestamptz + interval '1 day' END, CASE WHEN n <= 100000 THEN 0 END,
       $3::timestamptz - n * interval '1 second', $3, $3::timestamptz + interval '1 day'
     FROM generate_series(1, 110000) n`,
    [harness.chain.id, busyPayer, new Date(clock.now())],
  );
  await query(`INSERT INTO tx_claims SELECT pay_chain, 'tx-' || id, id FROM orders`);
  await query(
    `INSERT INTO payments (chain, block_hash, log_index, tx_hash, height, order_id, order_hash, payer, fields)
     SELECT pay_chain, 'block-' || id, 0, 'tx', 0, id, 'hash', 'payer', '{}' FROM orders`,
  );
  await query(`ANALYZE ${large.join(', ')}`);
}

interface Reads {
  /** The sequential scans of each table. */
  wholeTables: Record<string, number>;
  /** The number of rows of `orders` that were read. */
  orders: number;
}

/** The reads until now. PostgreSQL updates these statistics when a connection closes, or on demand. */
async function reads(): Promise<Reads> {
  await eventually(async () => {
    const others =
      'SELECT FROM pg_stat_activity WHERE datname = current_database() AND usename <> current_user';
    expect(await harness.database.query(others)).toEqual([]);
  });
  await harness.database.query('SELECT pg_stat_force_next_flush()');
  const rows = await harness.database.query<{ relname: string; seq_scan: string; idx_tup_fetch: string }>(
    'SELECT relname, seq_scan, idx_tup_fetch FROM pg_stat_user_tables WHERE relname = ANY($1)',
    [large],
  );
  return {
    wholeTables: Object.fromEntries(rows.map(({ relname, seq_scan: count }) => [relname, Number(count)])),
    orders: Number(rows.find(({ relname }) => relname === 'orders')!.idx_tup_fetch),
  };
}

async function everythingThatAppsDo(): Promise<void> {
  const { anvil } = harness.chain;
  const expiry = harness.apps[0]!.context.get(OrderExpiry);
  let cursor: string | undefined;
  // From the sixth execution on, PostgreSQL may use one generic plan for all values.
  for (let round = 0; round < 8; round++) {
    const [paid, wrong] = [await harness.createOrder(), await harness.createOrder()];
    const hash = await harness.chain.pay(paid.direct!.payment_order);
    expect(await harness.report(wrong.order_id, `0x${round.toString(16).padStart(64, '0')}`)).toBe(
      'settling',
    );
    expect(await harness.report(wrong.order_id, hash)).toBe('ORDER_NOT_WAITING');
    await anvil.mine(confirmations);
    await harness.orderWith(paid.order_id, { status: 'settled' });
    const input = { payer: busyPayer, limit: 100, ...(cursor && { cursor }) };
    const page = await harness.call(ordersApi.operations.listOrders, input);
    expect(page.count).toBe(100);
    cursor = page.next_cursor!;
    await anvil.reorg(confirmations + 1);
    await harness.orderWith(paid.order_id, { status: 'settling' });
    await expiry.step();
    await anvil.mineAt(Math.ceil(clock.now() / 1000) + 1_200);
    await harness.caughtUp();
    clock.advance(1_200_000);
    await harness.orderWith(wrong.order_id, { status: 'waiting_payment' });
  }
}

it('the running app scans no large table, and reads few orders that it does not change', async () => {
  await fill();
  await harness.stopApps();
  const before = await reads();
  await harness.startApp();

  await everythingThatAppsDo();

  await harness.stopApps();
  const after = await reads();
  expect(after.wholeTables).toEqual(before.wholeTables);
  // The workers read a few hundred orders. Reading all settling or waiting orders at each poll would read many times as
  // many.
  expect(after.orders - before.orders).toBeLessThan(10_000);
});
