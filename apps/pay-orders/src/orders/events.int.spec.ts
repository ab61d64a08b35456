import { OrderChanged, orderEvents, ordersApi, type OrderEventType } from '@tollbridge/contracts';
import { callContext, decode } from '@tollbridge/rpc';
import { eventually, ManualClock, recordEvents, startHttpServer, type HttpServer } from '@tollbridge/testing';
import { TokenPrices } from '../prices/token-prices';
import { PayOrders } from '../testing/pay-orders';
import { LateValues } from './late-values.worker';

const confirmations = 2;
const clock = new ManualClock();
let harness: PayOrders;
let llama: HttpServer;
/** Whether the price source has prices. */
let isPriced = false;

const coinsOf = (path: string) => {
  const ids = isPriced ? decodeURIComponent(path.split('/').at(-1)!).split(',') : [];
  const coin = { price: 2, timestamp: Math.floor(clock.now() / 1_000), confidence: 0.99, symbol: 'X' };
  return { body: { coins: Object.fromEntries(ids.map((id) => [id, coin])) } };
};

beforeAll(async () => {
  llama = await startHttpServer(({ path }) => coinsOf(path));
});
afterAll(() => llama?.close());

beforeEach(async () => {
  isPriced = false;
  harness = await PayOrders.start({ clock, confirmations, settings: { DEFILLAMA_URL: llama.url } });
});
afterEach(() => harness?.close());

async function pass(seconds: number): Promise<void> {
  await harness.chain.anvil.mineAt(Math.ceil(clock.now() / 1000) + seconds);
  await harness.caughtUp();
  clock.advance(seconds * 1000);
}

/** Creates an order that is settled, reorged, reopened and settled again: every event except its expiry. */
async function eventfulOrder(): Promise<string> {
  const { anvil } = harness.chain;
  const { order_id: id, direct } = await harness.createOrder();
  const hash = await harness.chain.pay(direct!.payment_order);
  const raw = await anvil.rawTransaction(hash);
  await anvil.mine(confirmations);
  await harness.orderWith(id, { status: 'settled' });
  await anvil.reorg(confirmations + 1);
  await harness.orderWith(id, { status: 'settling' });
  await pass(20 * 60);
  await harness.orderWith(id, { status: 'waiting_payment' });
  await anvil.send('eth_sendRawTransaction', [raw]);
  await anvil.mine(confirmations);
  await harness.orderWith(id, { status: 'settled' });
  return id;
}

/** Waits until the first price after the settlement has valued the order. */
async function valued(id: string): Promise<void> {
  isPriced = true;
  clock.advance(120_000);
  const { context } = harness.apps[0]!;
  await eventually(async () => {
    await context.get(TokenPrices).refresh();
    await context.get(LateValues).step();
    expect((await harness.eventsOf(id)).at(-1)).toBe('order-valued');
  });
}

describe('events of an order', () => {
  it('contain their declared data, consecutive versions, and the order at that version', async () => {
    const id = await eventfulOrder();
    const settledAt = new Date(clock.now()).toISOString();
    await valued(id);
    const valuedAt = new Date(clock.now()).toISOString();
    const { order_id: unpaidId } = await harness.createOrder();
    await pass(31 * 60);
    await harness.orderWith(unpaidId, { status: 'expired' });
    const types = [...(await harness.eventsOf(id)), ...(await harness.eventsOf(unpaidId))];
    // The tests of deposits and plain transfers cover failed and refunded deposits, and exceptions.
    const others = ['order-refunded', 'order-failed', 'order-exception'];
    expect(new Set([...types, ...others])).toEqual(new Set(Object.keys(orderEvents)));

    for (const events of [harness.events.of(id), harness.events.of(unpaidId)]) {
      expect(events.map(({ envelope }) => envelope.aggregateVersion)).toEqual(
        events.map((_, index) => index + 1),
      );
      for (const { envelope, subject, messageId } of events) {
        const declared = orderEvents[envelope.type as OrderEventType];
        expect(decode(declared.data, envelope.data)).toMatchObject({ ok: true });
        expect(subject).toBe(declared.subject);
        expect(messageId).toBe(envelope.id);
        const data = envelope.data as unknown as OrderChanged;
        expect(envelope).toEqual({
          id: expect.stringMatching(/^[0-9a-f-]{36}$/),
          type: declared.type,
          version: declared.version,
          aggregateId: data.order_id,
          aggregateVersion: data.version,
          // The order counts at the time of its settlement, which does not change.
          occurredAt: envelope.type === 'order-valued' ? valuedAt : data.updated_at,
          requestId: expect.stringMatching(/^[A-Za-z0-9_-]{8,64}$/),
          traceparent: expect.stringMatching(/^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/),
          data: expect.anything(),
        });
      }
    }
    expect(harness.events.of(id).map(({ envelope }) => [envelope.type, envelope.data['status']])).toEqual([
      ['order-created', 'waiting_payment'],
      ['order-settling', 'settling'],
      ['order-settled', 'settled'],
      ['order-reorged', 'settling'],
      ['order-reopened', 'waiting_payment'],
      ['order-settling', 'settling'],
      ['order-settled', 'settled'],
      ['order-valued', 'settled'],
    ]);
    const payer = harness.chain.payer.address;
    // Null before the payment was seen on the chain, and while the chain has dropped it.
    expect(harness.events.of(id).map(({ envelope }) => envelope.data['paid_by'])).toEqual([
      null,
      payer,
      payer,
      null,
      null,
      payer,
      payer,
      payer,
    ]);
    const { updated_at, pay_tx } = await harness.getOrder(id);
    expect(harness.events.of(id).at(-1)!.envelope.data).toEqual({
      order_id: id,
      status: 'settled',
      method: 'Direct',
      merchant_id: 'merchant-1',
      merchant_address: harness.request().merchant_address,
      payer_address: harness.request().payer_address,
      pay_blockchain: 'eip155:8453',
      pay_token: 'USDC',
      settle_chain: 'eip155:8453',
      settle_token: 'USDC',
      merchant_amount: '100000000',
      price: null,
      rate: null,
      fee_amount: '500000',
      pay_tx,
      settle_tx: pay_tx,
      settled_amount: '100000000',
      refunded_amount: null,
      paid_by: payer,
      refund_account: false,
      forwarded_amount: null,
      forwarded_tx: null,
      payment_seen: true,
      failure_reason: null,
      last_report_tx: pay_tx,
      last_report_reason: null,
      exception: null,
      late: false,
      created_by: null,
      settled_value_usd: '200.00',
      version: 8,
      updated_at,
    });
    expect(updated_at).toBe(settledAt);
  });

  it('contain the request id and the trace of their request, also in a group commit', async () => {
    const contexts = Array.from({ length: 20 }, (_, index) => callContext({ requestId: `request-${index}` }));
    const orders = await Promise.all(contexts.map((context) => harness.createOrder({}, context)));
    const reports = Array.from({ length: 20 }, (_, index) => callContext({ requestId: `report-${index}` }));
    await Promise.all(
      orders.map(({ order_id: id }, index) => {
        const input = { id, tx_hash: `0x${index.toString(16).padStart(64, '0')}` };
        return harness.call(ordersApi.operations.reportTransaction, input, reports[index]);
      }),
    );

    for (const [index, { order_id: id }] of orders.entries()) {
      await harness.eventsOf(id);
      const published = harness.events
        .of(id)
        .map(({ envelope: { requestId, traceparent } }) => ({ requestId, traceparent }));
      expect(published).toEqual(
        [contexts[index]!, reports[index]!].map(({ requestId, traceparent }) => ({ requestId, traceparent })),
      );
    }
  });

  it('contain exact amounts, and times in milliseconds', async () => {
    const largest = String(2n ** 128n - 1n);
    const { order_id: id } = await harness.createOrder({ merchant_amount: largest, fee_amount: '0' });

    await harness.eventsOf(id);

    const { envelope } = harness.events.of(id)[0]!;
    expect(envelope.data).toMatchObject({ merchant_amount: largest, fee_amount: '0' });
    expect(envelope.occurredAt).toBe(new Date(clock.now()).toISOString());
  });
});

describe('pay-orders during a failure of the bus', () => {
  it('publishes all events in order after an outage, and settles orders meanwhile', async () => {
    const { order_id: id, direct } = await harness.createOrder();
    await harness.eventsOf(id);
    await harness.nats.stop('SIGKILL');
    await harness.chain.pay(direct!.payment_order);
    await harness.chain.anvil.mine(confirmations);
    await eventually(async () => {
      const [order] = await harness.database.query('SELECT status FROM orders WHERE id = $1', [id]);
      expect(order).toEqual({ status: 'settled' });
    });

    await harness.nats.start();

    expect(await harness.eventsOf(id)).toEqual(['order-created', 'order-settling', 'order-settled']);
    await eventually(() => harness.orderWith(id, { status: 'settled' }, 100));
  });

  it('publishes all events again, once and in order, after the bus lost its storage', async () => {
    const id = await eventfulOrder();
    await harness.eventsOf(id);
    const before = harness.events.events.map(({ envelope }) => envelope);
    await harness.events.stop();
    await harness.nats.stop();
    harness.nats.loseStorage();

    await harness.nats.start();
    // At the next publish the app detects that its stream is missing.
    const { order_id: nextId } = await eventually(() => harness.createOrder());
    harness.events = await recordEvents(harness.nats.url, 'PAY_ORDERS');

    await harness.eventsOf(nextId);
    const after = harness.events.events.map(({ envelope }) => envelope);
    expect(after.slice(0, before.length)).toEqual(before);
    expect(new Set(after.map(({ id: eventId }) => eventId)).size).toBe(after.length);
  });
});
