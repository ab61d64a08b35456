import { orderHistoryApi, quotesApi, type PastOrderEvent } from '@tollbridge/contracts';
import { callContext, keyPrincipal, walletPrincipal } from '@tollbridge/rpc';
import { eventually, ManualClock } from '@tollbridge/testing';
import { v7 as uuid } from 'uuid';
import { PayOrders } from '../testing/pay-orders';

const confirmations = 2;
const clock = new ManualClock();
const wallet = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
let harness: PayOrders;

beforeAll(async () => {
  harness = await PayOrders.start({ clock, confirmations, otherChainId: 42161, routes: 'simulated' });
});
afterAll(() => harness?.close());

const history = (input: { afterSeq?: number; limit?: number }) =>
  harness.call(orderHistoryApi.operations.orderHistory, input).then(({ events }) => events);

/** Resolves when the price of the token has this value. */
async function priced(token: string, usd: string): Promise<void> {
  await harness.oneClick.setPrice(token, usd);
  clock.advance(30_000);
  const pair = { pay_blockchain: harness.chain.id, pay_token: token };
  const settle = { settle_chain: harness.chain.id, settle_token: token, settle_amount: '1000000' };
  await eventually(async () => {
    const quote = await harness.call(quotesApi.operations.quote, { ...pair, ...settle });
    expect(Number(quote.receive_amount_usd)).toBe(Number(usd));
  });
}

describe('an order', () => {
  it.each([
    ['a key', (keyId: string) => keyPrincipal(keyId, wallet), true, wallet],
    ['a wallet', () => walletPrincipal(wallet), false, wallet],
    ['an anonymous client', () => 'public', false, null],
  ])('stores and publishes its creator when it is %s', async (_name, principal, hasKey, maker) => {
    const keyId = uuid();
    const context = callContext({ principal: principal(keyId) });
    const { order_id: id } = await harness.createOrder({}, context);
    await harness.eventsOf(id);
    expect(harness.events.of(id)[0]!.envelope.data).toMatchObject({
      created_by: maker,
      settled_value_usd: null,
    });
    expect(await harness.database.query('SELECT created_by, key_id FROM orders WHERE id = $1', [id])).toEqual(
      [{ created_by: maker, key_id: hasKey ? keyId : null }],
    );
  });

  it('keeps the value of its first settlement after all later events', async () => {
    const { anvil } = harness.chain;
    await priced('USDC', '1.01');
    const { order_id: id, direct } = await harness.createOrder();
    const hash = await harness.chain.pay(direct!.payment_order);
    const raw = await anvil.rawTransaction(hash);
    await anvil.mine(confirmations);
    await harness.orderWith(id, { status: 'settled' });

    await priced('USDC', '0.5');
    await anvil.reorg(confirmations + 1);
    await harness.orderWith(id, { status: 'settling' });
    await anvil.send('eth_sendRawTransaction', [raw]);
    await anvil.mine(confirmations);
    await harness.orderWith(id, { status: 'settled' });

    await harness.eventsOf(id);
    // The time of a poll decides whether `order-settling` is published, so it is ignored.
    const published = harness.events
      .of(id)
      .map(({ envelope: { type, data } }) => [type, data['settled_value_usd']])
      .filter(([type]) => type !== 'order-settling');
    expect(published).toEqual([
      ['order-created', null],
      ['order-settled', '101.00'],
      ['order-reorged', '101.00'],
      ['order-settled', '101.00'],
    ]);
  });
});

describe('the history of orders', () => {
  it('contains every published event, page by page and in order', async () => {
    const { order_id: id } = await harness.createOrder();
    await harness.eventsOf(id);
    const all: PastOrderEvent[] = [];
    for (;;) {
      const page = await history({ afterSeq: all.at(-1)?.seq ?? 0, limit: 2 });
      expect(page.length).toBeLessThanOrEqual(2);
      all.push(...page);
      if (page.length < 2) break;
    }
    const published = harness.events.events.map(({ envelope }) => envelope);
    expect(all.map((event) => [event.id, event.type, event.order])).toEqual(
      published.map((event) => [event.id, event.type, event.data]),
    );
    expect(await history({})).toEqual(all);
    expect(await history({ afterSeq: all.at(-1)!.seq })).toEqual([]);
  });

  it('returns null for creators in events from before the field existed', async () => {
    const { order_id: id } = await harness.createOrder();
    const [last] = (await history({})).slice(-1);
    const { seq, order } = last!;
    await harness.database.query(
      `UPDATE outbox SET payload = (payload::jsonb #- '{data,created_by}' #- '{data,settled_value_usd}')::json WHERE seq = $1`,
      [seq],
    );
    expect(order.order_id).toBe(id);
    expect(await history({ afterSeq: seq - 1 })).toEqual([last]);
  });

  it.each([{ afterSeq: -1 }, { limit: 0 }, { limit: 201 }])('rejects the query %j', async (input) => {
    await expect(history(input as object)).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
  });
});
