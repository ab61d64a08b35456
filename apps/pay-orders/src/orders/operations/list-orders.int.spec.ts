import type { ListPosition } from '@tollbridge/rpc';
import { ManualClock } from '@tollbridge/testing';
import { Wallet } from 'ethers';
import { Client, type QueryConfig } from 'pg';
import { PayOrders } from '../../testing/pay-orders';
import { listStatement, OrdersRepository } from '../storage/orders.repository';

const clock = new ManualClock();
const busy = Wallet.createRandom().address;
const rare = Wallet.createRandom().address;
let harness: PayOrders;
let repository: OrdersRepository;
/** The ids of the orders of a payer with 50,000 orders, in the order of the list. */
let ids: string[];

beforeAll(async () => {
  harness = await PayOrders.start({ clock });
  repository = harness.apps[0]!.context.get(OrdersRepository);
  await fill(busy, 50_000);
  await fill(rare, 2);
  await harness.database.query('ANALYZE orders');
  const rows = await harness.database.query<{ id: string }>(
    'SELECT id FROM orders WHERE payer_address = $1 ORDER BY created_at DESC, id DESC',
    [busy],
  );
  ids = rows.map(({ id }) => id);
});
afterAll(() => harness?.close());

/** Inserts three orders for each millisecond. */
async function fill(payer: string, count: number): Promise<void> {
  await harness.database.query(
    `INSERT INTO orders (id, status, method, pay_chain, pay_token, settle_chain, settle_token, merchant_address,
       merchant_amount, fee_receiver, fee_amount, merchant_id, payer_address, contract_address, token_in_address,
       created_at, updated_at, expires_at)
     SELECT gen_random_uuid(), 'expired', 'Direct', $1, 'USDC', $1, 'USDC', $2, 1, $2, 0, 'shop', $2, $2, $2,
       $3::timestamptz - n / 3 * interval '1 millisecond', $3, $3
     FROM generate_series(1, $4::int) n`,
    [harness.chain.id, payer, new Date(clock.now()), count],
  );
}

it('reads each of 50,000 orders once, newest first, page by page', async () => {
  const seen: string[] = [];
  let before: ListPosition | undefined;
  for (;;) {
    const page = await repository.listByPayer(busy, 997, before);
    const last = page.at(-1);
    if (!last) break;
    seen.push(...page.map(({ id }) => id));
    before = { atMs: last.createdAtMs, id: last.id };
  }
  expect(seen).toHaveLength(50_000);
  expect(seen).toEqual(ids);
});

it('returns an order like getOrder', async () => {
  for (const payer of [busy, rare])
    for (const order of await repository.listByPayer(payer, 2))
      expect(order).toEqual(await repository.find(order.id));
});

interface Plan {
  'Node Type': string;
  'Index Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Relation Name'?: string;
  Plans?: Plan[];
}

const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];

it.each(['force_custom_plan', 'force_generic_plan'])(
  'reads only the rows of the page, from the index of payers, with %s',
  async (mode) => {
    const client = new Client({ connectionString: harness.database.runtimeUrl });
    await client.connect();
    try {
      await client.query(`SET plan_cache_mode = ${mode}`);
      await client.query(`PREPARE page (text, int, timestamptz, uuid) AS ${listStatement.text}`);
      const cursor = ids[25_000];
      for (const before of [`'infinity', 'ffffffff-ffff-ffff-ffff-ffffffffffff'`, `now(), '${cursor}'`]) {
        const explain = `EXPLAIN (ANALYZE, FORMAT JSON) EXECUTE page ('${busy}', 21, ${before})`;
        const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(explain);
        const reads = nodesOf(rows[0]!['QUERY PLAN'][0].Plan).filter(
          (node) => node['Relation Name'] === 'orders',
        );
        expect(reads).toEqual([expect.objectContaining({ 'Index Name': 'orders_payer', 'Actual Rows': 21 })]);
      }
    } finally {
      await client.end();
    }
  },
);

it('uses one prepared statement', async () => {
  const { pool } = harness.apps[0]!.database!;
  const query = jest.fn((statement: QueryConfig) => pool.query(statement));
  await new OrdersRepository({ pool: { query } } as never).listByPayer(busy, 21);
  expect(query.mock.calls).toEqual([[expect.objectContaining({ name: listStatement.name })]]);
});
