import type { CreateOrderReply } from '@tollbridge/contracts';
import { callContext, walletPrincipal } from '@tollbridge/rpc';
import { ManualClock } from '@tollbridge/testing';
import { merchant, PayOrders } from '../testing/pay-orders';

const confirmations = 3;
const minute = 60;
let clock: ManualClock;
let harness: PayOrders;

beforeEach(async () => {
  clock = new ManualClock();
  harness = await PayOrders.start({ clock, confirmations });
});
afterEach(() => harness?.close());

/** Advances the chain and the clock of the app. */
async function pass(seconds: number): Promise<void> {
  await harness.chain.anvil.mineAt(Math.ceil(clock.now() / 1000) + seconds);
  await harness.caughtUp();
  clock.advance(seconds * 1000);
}

interface Paid {
  id: string;
  order: CreateOrderReply;
  hash: string;
  /** The signed transaction, which any account can send again after the chain dropped it. */
  raw: string;
}

async function paidOrder(from = harness.chain.payer): Promise<Paid> {
  const order = await harness.createOrder();
  const hash = await harness.chain.pay(order.direct!.payment_order, { from });
  const raw = await harness.chain.anvil.rawTransaction(hash);
  await harness.orderWith(order.order_id, { status: 'settling', pay_tx: hash, confirmations: 1 });
  return { id: order.order_id, order, hash, raw };
}

async function settledOrder(from = harness.chain.payer): Promise<Paid> {
  const paid = await paidOrder(from);
  await harness.chain.anvil.mine(confirmations - 1);
  await harness.orderWith(paid.id, { status: 'settled', confirmations });
  return paid;
}

const sendAgain = ({ raw }: Paid): Promise<unknown> =>
  harness.chain.anvil.send('eth_sendRawTransaction', [raw]);

describe('a reorganisation while an order is settling', () => {
  it('drops the payment at depth 1, and settles the order when it is mined again', async () => {
    const paid = await paidOrder();

    await harness.chain.anvil.reorg(1);
    await harness.orderWith(paid.id, { status: 'settling', confirmations: 0, pay_tx: paid.hash });
    // Without the reorganisation, these blocks would settle the order.
    await harness.chain.anvil.mine(confirmations);
    await harness.caughtUp();
    expect(await harness.getOrder(paid.id)).toMatchObject({ status: 'settling', settle_tx: null });

    await sendAgain(paid);
    await harness.chain.anvil.mine(confirmations - 1);
    await harness.orderWith(paid.id, { status: 'settled', settle_tx: paid.hash, late: false });
    expect(await harness.eventsOf(paid.id)).toEqual(['order-created', 'order-settling', 'order-settled']);
  });

  it('restarts the confirmations at depth 1 when the payment is in the new block', async () => {
    const paid = await paidOrder();
    await harness.chain.anvil.mine(confirmations - 2);
    await harness.caughtUp();

    await harness.chain.anvil.reorg(confirmations - 1, [paid.hash]);
    await harness.caughtUp();
    expect(await harness.getOrder(paid.id)).toMatchObject({
      status: 'settling',
      confirmations: confirmations - 1,
    });

    await harness.chain.anvil.mine();
    await harness.orderWith(paid.id, { status: 'settled', settle_tx: paid.hash });
    expect(await harness.eventsOf(paid.id)).toEqual(['order-created', 'order-settling', 'order-settled']);
  });

  it('lets another payment replace the dropped one and settle the order', async () => {
    const paid = await paidOrder();
    await harness.chain.anvil.reorg(1);
    await harness.orderWith(paid.id, { confirmations: 0 });

    const { payment_order: terms } = paid.order.direct!;
    const replacement = await harness.chain.pay(terms, { from: harness.chain.stranger });
    await harness.chain.anvil.mine(confirmations - 1);

    await harness.orderWith(paid.id, { status: 'settled', pay_tx: replacement, settle_tx: replacement });
  });
});

describe('a reorganisation deeper than the confirmations', () => {
  it('records a second payment of an order once, even if it is mined repeatedly', async () => {
    const { payer } = harness.chain;
    const changes = { payer_address: payer.address, fee_amount: '0', fee_receiver: '' };
    const context = callContext({ principal: walletPrincipal(payer.address) });
    const order = await harness.createOrder(changes, context);
    const { order_id: id } = order;
    const first = await harness.chain.transfer(merchant, 100_000_000n, harness.chain.usdc.address);
    await harness.chain.anvil.mine(confirmations);
    await harness.caughtUp();
    expect(await harness.report(id, first)).toBe('settling');
    // Advances the clock, because the verifier of reports waits for a second.
    clock.advance(2_000);
    await harness.orderWith(id, { status: 'settled', settle_tx: first });
    const second = await harness.chain.pay(order.direct!.payment_order);
    const raw = await harness.chain.anvil.rawTransaction(second);
    await harness.chain.anvil.mine(confirmations - 1);
    const exceptions = [expect.objectContaining({ tx_hash: second, amount: '100000000' })];
    const paidTwice = await harness.orderWith(id, { exceptions });

    await harness.chain.anvil.reorg(confirmations);
    await harness.caughtUp();
    await harness.chain.anvil.send('eth_sendRawTransaction', [raw]);
    await harness.chain.anvil.mine(confirmations);
    await harness.caughtUp();

    const mined = 'SELECT removed FROM payments WHERE order_id = $1 ORDER BY removed';
    expect(await harness.database.query(mined, [id])).toEqual([{ removed: false }, { removed: true }]);
    expect(await harness.getOrder(id)).toEqual(paidTwice);
    const types = await harness.eventsOf(id);
    expect(types.filter((type) => type === 'order-exception')).toHaveLength(1);
  });

  it('reverts the settlement, publishes that, and settles again when the payment is mined again', async () => {
    const paid = await settledOrder();

    await harness.chain.anvil.reorg(confirmations + 1);
    await harness.orderWith(paid.id, {
      status: 'settling',
      settle_tx: null,
      settled_amount: null,
      confirmations: 0,
      pay_tx: paid.hash,
    });

    await sendAgain(paid);
    await harness.chain.anvil.mine(confirmations - 1);
    await harness.orderWith(paid.id, {
      status: 'settled',
      settle_tx: paid.hash,
      settled_amount: '100000000',
      late: false,
    });
    // Settling is published again only if the watcher reads the payment before its last confirmation.
    const [created, settling, ...later] = await harness.eventsOf(paid.id);
    expect([created, settling]).toEqual(['order-created', 'order-settling']);
    expect(later.filter((type) => type !== 'order-settling')).toEqual([
      'order-settled',
      'order-reorged',
      'order-settled',
    ]);
  });

  it('leaves the order waiting when the payment is not mined for 10 minutes, and settles it when it is mined later', async () => {
    const paid = await settledOrder();
    await harness.chain.anvil.reorg(confirmations + 1);
    await harness.orderWith(paid.id, { status: 'settling' });

    await pass(10 * minute - 1);
    await harness.reportVerified(paid.id);
    expect(await harness.getOrder(paid.id)).toMatchObject({ status: 'settling' });
    await pass(minute);
    await harness.orderWith(paid.id, {
      status: 'waiting_payment',
      last_report: expect.objectContaining({
        outcome: 'rejected',
        reason: 'TX_NOT_FOUND: the reported transaction was not found within 10 minutes',
      }),
      late: false,
    });

    await sendAgain(paid);
    await harness.chain.anvil.mine(confirmations - 1);
    await harness.orderWith(paid.id, {
      status: 'settled',
      settle_tx: paid.hash,
      failure_reason: null,
      late: false,
    });
    expect(await harness.eventsOf(paid.id)).toEqual([
      'order-created',
      'order-settling',
      'order-settled',
      'order-reorged',
      'order-reopened',
      'order-settling',
      'order-settled',
    ]);
  });

  it('does not change orders that were paid below the fork', async () => {
    const [below, above] = [await settledOrder(), await settledOrder()];

    await harness.chain.anvil.reorg(confirmations + 1);
    await harness.orderWith(above.id, { status: 'settling' });

    expect(await harness.getOrder(below.id)).toMatchObject({ status: 'settled', settle_tx: below.hash });
    expect(await harness.eventsOf(below.id)).toEqual(['order-created', 'order-settling', 'order-settled']);
  });

  it('reverts the settlement at the next start when the app was down', async () => {
    const paid = await settledOrder();
    await harness.stopApps();
    await harness.chain.anvil.reorg(confirmations + 1);
    await harness.chain.anvil.mine(10);

    await harness.startApp();

    await harness.orderWith(paid.id, { status: 'settling', settle_tx: null });
    expect(await harness.eventsOf(paid.id)).toContain('order-reorged');
  });
});

it('a reorganisation deeper than all stored blocks causes a new read of the chain, which settles orders with a remaining payment', async () => {
  const surviving = await settledOrder(harness.chain.payer);
  const dropped = await settledOrder(harness.chain.stranger);
  await harness.chain.anvil.mine(80);
  await harness.caughtUp();
  const depth = (await harness.chain.anvil.height()) - (await harness.chain.mined(surviving.hash)) + 1;

  await harness.chain.anvil.reorg(depth, [surviving.hash]);

  await harness.orderWith(dropped.id, { status: 'settling', settle_tx: null });
  await harness.orderWith(surviving.id, { status: 'settled', settle_tx: surviving.hash });
  expect((await harness.eventsOf(surviving.id)).slice(-2)).toEqual(['order-reorged', 'order-settled']);
});

it('an order that expired on a dropped fork is settled as late when the other fork contains its payment', async () => {
  const { anvil } = harness.chain;
  const order = await harness.createOrder();
  // Signed in time and sent to the network, but not mined on the first fork.
  await anvil.setAutomine(false);
  const hash = await harness.chain.send(order.direct!.payment_order);
  const raw = await anvil.rawTransaction(hash);
  await anvil.send('anvil_dropTransaction', [hash]);
  await anvil.setAutomine(true);
  await pass(30 * minute + 2);
  await harness.orderWith(order.order_id, { status: 'expired' });

  await anvil.send('anvil_reorg', [1, [[raw, 0]]]);
  await anvil.mine(confirmations);

  await harness.orderWith(order.order_id, { status: 'settled', late: true, settle_tx: hash });
  expect(await harness.eventsOf(order.order_id)).toEqual([
    'order-created',
    'order-expired',
    'order-settling',
    'order-settled',
  ]);
});
