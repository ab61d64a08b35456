import { orderEvents, type OrderChanged } from '@tollbridge/contracts';
import { Database, storeDeadLetter, listDeadLetters, retryDeadLetters } from '@tollbridge/database';
import { eventually } from '@tollbridge/testing';
import { v7 as uuid } from 'uuid';
import { Merchant, sampleOrder } from '../testing/merchant';

let merchant: Merchant;
beforeAll(async () => {
  merchant = await Merchant.start();
  // A second replica shares the work.
  await merchant.startApp();
});
afterAll(() => merchant.close());

interface Known {
  wallet: string;
  version: number;
  data: OrderChanged;
}

const known = (id: string) =>
  merchant.database.query<Known>('SELECT wallet, version, data FROM orders WHERE id = $1', [id]);
const handled = async (): Promise<number> =>
  (await merchant.database.query('SELECT FROM inbox WHERE consumer = $1', ['merchant-orders'])).length;

it('stores an order with its wallet and version', async () => {
  const order = await merchant.publishOrder('order-settled');
  await eventually(async () =>
    expect(await known(order.order_id)).toEqual([
      { wallet: order.merchant_address, version: 3, data: order },
    ]),
  );
});

it('stores the newest version of an order, in any order and however often events arrive', async () => {
  const before = await handled();
  const order = sampleOrder();
  const versions = [3, 1, 2, 3].map((version) => ({ ...order, version, late: version === 3 }));
  const ids = versions.map(() => uuid());
  await Promise.all(
    versions.map((data, at) =>
      merchant.publishEvent(orderEvents['order-settling'], order.order_id, data.version, data, ids[at]),
    ),
  );
  await eventually(async () => expect(await handled()).toBe(before + 4));
  expect(await known(order.order_id)).toMatchObject([{ version: 3, data: { late: true } }]);
});

it('handles a dead letter when an operator retries it, and leaves what still fails', async () => {
  const { pool } = merchant.apps[0]!.context.get(Database);
  const order = sampleOrder();
  const envelope = {
    id: uuid(),
    type: 'order-settled',
    version: 1,
    aggregateId: order.order_id,
    aggregateVersion: 3,
    occurredAt: order.updated_at,
    requestId: 'request-1',
    traceparent: '',
    data: order,
  };
  const texts = [
    JSON.stringify(envelope),
    JSON.stringify({ ...envelope, id: uuid(), data: null }),
    'no event',
  ];
  for (const text of texts) await storeDeadLetter(pool, 'merchant-orders', text, new Error('at first'));
  await storeDeadLetter(pool, 'others', texts[0]!, 'not ours');
  expect(await known(order.order_id)).toEqual([]);
  expect(await retryDeadLetters(pool)).toBe(4);
  await eventually(async () => {
    expect(await known(order.order_id)).toMatchObject([{ version: 3 }]);
    const left = await listDeadLetters(pool, 10);
    expect(left.map(({ consumer, event }) => [consumer, texts.indexOf(event)])).toEqual([
      ['others', 0],
      ['merchant-orders', 2],
      ['merchant-orders', 1],
    ]);
    for (const { reason } of left) expect(reason).not.toBe('at first');
  });
  const { registry } = merchant.apps[0]!.metrics;
  const counted = /tollbridge_dead_letters\{[^}]*consumer="merchant-orders"[^}]*\} 2\n/;
  await eventually(async () => expect(await registry.metrics()).toMatch(counted));
});
