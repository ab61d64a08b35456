import {
  exceptionsApi,
  orderEvents,
  type OrderChanged,
  type OrderEventType,
  type OrderException,
} from '@tollbridge/contracts';
import { walletPrincipal } from '@tollbridge/rpc';
import { Database, storeDeadLetter, listDeadLetters, retryDeadLetters } from '@tollbridge/database';
import { anEventEnvelope } from '@tollbridge/rpc/testing';
import { eventually } from '@tollbridge/testing';
import { v7 as uuid } from 'uuid';
import { Merchant, randomWallet } from '../testing/merchant';
import { anOrderChanged } from './testing/order-changed.builder';

let merchant: Merchant;
beforeAll(async () => {
  merchant = await Merchant.start();
  // A second replica of the merchant app shares the work.
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

it('stores the newest version of an order for any order and number of deliveries', async () => {
  const before = await handled();
  const order = anOrderChanged();
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

it('handles a dead letter when an operator retries it, and retains the ones that still fail', async () => {
  const { pool } = merchant.apps[0]!.context.get(Database);
  const order = anOrderChanged();
  const envelope = anEventEnvelope({
    type: 'order-settled',
    aggregateId: order.order_id,
    aggregateVersion: 3,
    data: order,
  });
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

describe('order-exception events', () => {
  const moved = (changes: Partial<OrderException> = {}): OrderException => ({
    id: uuid(),
    kind: 'transfer',
    chain: 'eip155:8453',
    token: 'USDC',
    amount: '400000',
    tx_hash: `0x${'b2'.repeat(32)}`,
    reason: 'PARTIAL_TRANSFER: the merchant received 400000 of 1000000 by plain transfer',
    seen_at: '2026-11-20T12:00:09.000Z',
    ...changes,
  });
  const waiting = (changes: Partial<OrderChanged> = {}) =>
    anOrderChanged({
      merchant_address: randomWallet(),
      status: 'waiting_payment',
      settle_tx: null,
      settled_amount: null,
      settled_value_usd: null,
      paid_by: null,
      ...changes,
    });
  const publish = (type: OrderEventType, order: OrderChanged) => ({ id: uuid(), type, order });
  const exceptionsOf = async ({ merchant_address: wallet }: OrderChanged) =>
    (await merchant.call(exceptionsApi.operations.listExceptions, {}, walletPrincipal(wallet))).exceptions;
  const webhooksOf = async ({ merchant_address: wallet }: OrderChanged): Promise<unknown[]> => {
    const rows = await merchant.database.query<{ payload: string }>(
      "SELECT payload FROM webhook_messages WHERE wallet = $1 AND type = 'payment.exception' ORDER BY id",
      [wallet],
    );
    return rows.map(({ payload }) => (JSON.parse(payload) as { data: unknown }).data);
  };

  it.each<[string, Partial<OrderChanged>, Partial<OrderException>]>([
    ['partial', {}, {}],
    [
      'plain_transfer',
      {},
      { reason: 'UNKNOWN_SENDER: not from a wallet that signed in to create the order' },
    ],
    ['other_token', {}, { token: 'USDT' }],
    ['other_network', {}, { chain: 'eip155:137' }],
    ['late', { status: 'failed' }, { kind: 'deposit', chain: 'btc', token: 'BTC' }],
    ['second_payment', { status: 'settled' }, { kind: 'deposit', chain: 'btc', token: 'BTC', tx_hash: null }],
    [
      'second_payment',
      { status: 'settled' },
      { reason: 'PAID_TWICE: another transaction had settled the order' },
    ],
    ['refund', { refund_account: true }, { kind: 'refund', chain: 'btc', token: 'BTC', tx_hash: null }],
  ])('stores an exception of the kind %s once, and notifies the merchant', async (kind, changes, found) => {
    const order = waiting({ ...changes, exception: moved(found) });
    await merchant.addWebhookEndpoint(order.merchant_address);
    const event = publish('order-exception', order);
    await merchant.publishAndWait([event, event]);
    const { amount, tx_hash, reason, token } = order.exception!;
    const expected = { kind, amount, tx_hash, reason, token, order_id: order.order_id, status: 'open' };
    expect(await exceptionsOf(order)).toMatchObject([expected]);
    expect(await webhooksOf(order)).toMatchObject([expected]);
  });

  it.each([
    ['in their order', false],
    ['in reverse', true],
  ])(
    'closes the partial payments of an order that transfers have completed, with events %s',
    async (_name, isReversed) => {
      const part = waiting({ exception: moved() });
      const settled = { ...part, status: 'settled', exception: null, version: 5 } as const;
      const events = [publish('order-exception', part), publish('order-settled', settled)];
      for (const event of isReversed ? events.reverse() : events) await merchant.publishAndWait([event]);
      expect(await exceptionsOf(part)).toMatchObject([{ kind: 'partial', resolution: 'completed' }]);
    },
  );

  it('keeps a partial payment open when the contract settles the order', async () => {
    const part = waiting({ exception: moved() });
    const settled: OrderChanged = {
      ...part,
      status: 'settled',
      exception: null,
      version: 5,
      paid_by: part.payer_address,
    };
    await merchant.publishAndWait([publish('order-exception', part), publish('order-settled', settled)]);
    expect(await exceptionsOf(part)).toMatchObject([{ kind: 'partial', status: 'open' }]);
  });

  it('closes a second deposit after its refund to the payer or from the refund account', async () => {
    const asset = { chain: 'btc', token: 'BTC', tx_hash: null };
    for (const hasRefundAccount of [false, true]) {
      const order = waiting({ status: 'settled', method: 'CrossChain', refund_account: hasRefundAccount });
      const second = { ...order, exception: moved({ ...asset, kind: 'deposit' }) };
      const refund = { ...order, version: 4, exception: moved({ ...asset, kind: 'refund' }) };
      await merchant.publishAndWait([publish('order-exception', second)]);
      await merchant.publishAndWait([publish('order-exception', refund)]);
      const states = async () => (await exceptionsOf(order)).map(({ resolution }) => resolution);
      expect(await states()).toEqual(hasRefundAccount ? [null, null] : ['returned', 'returned']);
      const forwarded = { ...order, version: 5, exception: null, forwarded_amount: '399000' };
      await merchant.publishAndWait([publish('order-refunded', forwarded)]);
      expect(await states()).toEqual(['returned', 'returned']);
    }
  });
});
