import { OrderChanged, orderEvents, ordersApi, type OrderEventType } from '@tollbridge/contracts';
import { callContext, decode } from '@tollbridge/rpc';
import { eventually, ManualClock, recordEvents, startHttpServer, type HttpServer } from '@tollbridge/testing';
import { TokenPrices } from '../prices/token-prices';
import { PayOrders } from '../testing/pay-orders';
import { LateValues } from './late-values.worker';

jest.setTimeout(60_000);

const confirmations = 2;
const clock = new ManualClock();
let world: PayOrders;
let llama: HttpServer;
/** Whether the source of prices knows any. */
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
  world = await PayOrders.start({ clock, confirmations, settings: { DEFILLAMA_URL: llama.url } });
});
afterEach(() => world?.close());

async function pass(seconds: number): Promise<void> {
  await world.chain.anvil.mineAt(Math.ceil(clock.now() / 1000) + seconds);
  await world.caughtUp();
  clock.advance(seconds * 1000);
}

/** An order that was settled, taken back, failed and settled again: every event but that it expired. */
async function eventfulOrder(): Promise<string> {
  const { anvil } = world.chain;
  const { order_id: id, direct } = await world.createOrder();
  const hash = await world.chain.pay(direct!.payment_order);
  const raw = await anvil.rawTransaction(hash);
  await anvil.mine(confirmations);
  await world.orderWith(id, { status: 'settled' });
  await anvil.reorg(confirmations + 1);
  await world.orderWith(id, { status: 'settling' });
  await pass(20 * 60);
  await world.orderWith(id, { status: 'failed' });
  await anvil.send('eth_sendRawTransaction', [raw]);
  await anvil.mine(confirmations);
  await world.orderWith(id, { status: 'settled' });
  return id;
}

/** The order is valued by the first price after it was settled. */
async function valued(id: string): Promise<void> {
  isPriced = true;
  clock.advance(120_000);
  const { context } = world.apps[0]!;
  await eventually(async () => {
    await context.get(TokenPrices).refresh();
    await context.get(LateValues).step();
    expect((await world.eventsOf(id)).at(-1)).toBe('order-valued');
  });
}

describe('every event of an order', () => {
  it('carries what is declared, versions without a gap, and the order as it then stood', async () => {
    const id = await eventfulOrder();
    const settledAt = new Date(clock.now()).toISOString();
    await valued(id);
    const valuedAt = new Date(clock.now()).toISOString();
    const { order_id: unpaidId } = await world.createOrder();
    await pass(31 * 60);
    await world.orderWith(unpaidId, { status: 'expired' });
    const types = [...(await world.eventsOf(id)), ...(await world.eventsOf(unpaidId))];
    // Refunds come back of deposits across chains only: refunds.int.spec.ts checks their event.
    expect(new Set([...types, 'order-refunded'])).toEqual(new Set(Object.keys(orderEvents)));

    for (const events of [world.events.of(id), world.events.of(unpaidId)]) {
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
          // The time of the settlement stays, by which the order is counted.
          occurredAt: envelope.type === 'order-valued' ? valuedAt : data.updated_at,
          requestId: expect.stringMatching(/^[A-Za-z0-9_-]{8,64}$/),
          traceparent: expect.stringMatching(/^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/),
          data: expect.anything(),
        });
      }
    }
    expect(world.events.of(id).map(({ envelope }) => [envelope.type, envelope.data['status']])).toEqual([
      ['order-created', 'waiting_payment'],
      ['order-settling', 'settling'],
      ['order-settled', 'settled'],
      ['order-reorged', 'settling'],
      ['order-failed', 'failed'],
      ['order-settling', 'settling'],
      ['order-settled', 'settled'],
      ['order-valued', 'settled'],
    ]);
    const payer = world.chain.payer.address;
    // Not before it was seen on the chain, and not while the chain has dropped it.
    expect(world.events.of(id).map(({ envelope }) => envelope.data['paid_by'])).toEqual([
      ...[null, payer, payer, null, null, payer, payer, payer],
    ]);
    const { updated_at, pay_tx } = await world.getOrder(id);
    expect(world.events.of(id).at(-1)!.envelope.data).toEqual({
      order_id: id,
      status: 'settled',
      method: 'Direct',
      merchant_id: 'merchant-1',
      merchant_address: world.request().merchant_address,
      payer_address: world.request().payer_address,
      pay_blockchain: 'eip155:8453',
      pay_token: 'USDC',
      settle_chain: 'eip155:8453',
      settle_token: 'USDC',
      merchant_amount: '100000000',
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
      late: true,
      created_by: null,
      settled_value_usd: '200.00',
      version: 8,
      updated_at,
    });
    expect(updated_at).toBe(settledAt);
  });

  it('carries the request id and the trace of the request that caused it, also in one commit with others', async () => {
    const contexts = Array.from({ length: 20 }, (_, index) => callContext({ requestId: `request-${index}` }));
    const orders = await Promise.all(contexts.map((context) => world.createOrder({}, context)));
    const reports = Array.from({ length: 20 }, (_, index) => callContext({ requestId: `report-${index}` }));
    await Promise.all(
      orders.map(({ order_id: id }, index) => {
        const input = { id, tx_hash: `0x${index.toString(16).padStart(64, '0')}` };
        return world.call(ordersApi.operations.reportTransaction, input, reports[index]);
      }),
    );

    for (const [index, { order_id: id }] of orders.entries()) {
      await world.eventsOf(id);
      const told = world.events
        .of(id)
        .map(({ envelope: { requestId, traceparent } }) => ({ requestId, traceparent }));
      expect(told).toEqual(
        [contexts[index]!, reports[index]!].map(({ requestId, traceparent }) => ({ requestId, traceparent })),
      );
    }
  });

  it('keeps amounts to the last unit, and times to the millisecond', async () => {
    const largest = String(2n ** 128n - 1n);
    const { order_id: id } = await world.createOrder({ merchant_amount: largest, fee_amount: '0' });

    await world.eventsOf(id);

    const { envelope } = world.events.of(id)[0]!;
    expect(envelope.data).toMatchObject({ merchant_amount: largest, fee_amount: '0' });
    expect(envelope.occurredAt).toBe(new Date(clock.now()).toISOString());
  });
});

describe('events outlast the bus', () => {
  it('that is away for a while: orders settle meanwhile, and their events come afterwards, in order', async () => {
    const { order_id: id, direct } = await world.createOrder();
    await world.eventsOf(id);
    await world.nats.stop('SIGKILL');
    await world.chain.pay(direct!.payment_order);
    await world.chain.anvil.mine(confirmations);
    await eventually(async () => {
      const [order] = await world.database.query('SELECT status FROM orders WHERE id = $1', [id]);
      expect(order).toEqual({ status: 'settled' });
    });

    await world.nats.start();

    expect(await world.eventsOf(id)).toEqual(['order-created', 'order-settling', 'order-settled']);
    await eventually(() => world.orderWith(id, { status: 'settled' }, 100));
  });

  it('that lost its storage: the stream is made again from the outbox, every event once and in order', async () => {
    const id = await eventfulOrder();
    await world.eventsOf(id);
    const before = world.events.events.map(({ envelope }) => envelope);
    await world.events.stop();
    await world.nats.stop();
    world.nats.loseStorage();

    await world.nats.start();
    // What happens next shows the app that its stream is gone.
    const { order_id: nextId } = await eventually(() => world.createOrder());
    world.events = await recordEvents(world.nats.url, 'PAY_ORDERS');

    await world.eventsOf(nextId);
    const after = world.events.events.map(({ envelope }) => envelope);
    expect(after.slice(0, before.length)).toEqual(before);
    expect(new Set(after.map(({ id: eventId }) => eventId)).size).toBe(after.length);
  });
});
