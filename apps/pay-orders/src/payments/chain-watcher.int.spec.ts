import type { CreateOrderReply } from '@tollbridge/contracts';
import { callContext } from '@tollbridge/rpc';
import { eventually, ManualClock, openTcpLink, startAnvil, type TcpLink } from '@tollbridge/testing';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { OrderExpiry } from '../orders/orders.worker';
import { baseChainId, PayOrders, type HarnessOptions } from '../testing/pay-orders';
import { PaymentsRepository } from './payments.repository';

const confirmations = 2;
const minute = 60;
const madeUpHash = `0x${'66'.repeat(32)}`;
const rejected = (reason: string) => expect.objectContaining({ outcome: 'rejected', reason });
const notFound = 'TX_NOT_FOUND: the reported transaction was not found within 10 minutes';
let clock: ManualClock;
let harness: PayOrders;

const start = async (options: HarnessOptions = {}): Promise<void> => {
  clock = new ManualClock();
  harness = await PayOrders.start({ clock, confirmations, ...options });
};
afterEach(() => harness?.close());

const send = (order: CreateOrderReply) => harness.chain.send(order.direct!.payment_order);
const pay = (order: CreateOrderReply) => harness.chain.pay(order.direct!.payment_order);
const deadlineOf = (order: CreateOrderReply): number => order.direct!.payment_order.deadline;

/** Mines a block with this time, and resolves after the watcher has read it. */
async function mineAt(unixSeconds: number): Promise<void> {
  await harness.chain.anvil.mineAt(unixSeconds);
  await harness.caughtUp();
}

/** Runs every clock-driven worker once. */
async function workersRan(reportedId: string): Promise<void> {
  await harness.apps[0]!.context.get(OrderExpiry).step();
  await harness.reportVerified(reportedId);
}

describe('the watcher after a stop', () => {
  it('continues from its stored height, and finds payments in the thousands of blocks since', async () => {
    await start({ lifetimeSeconds: 86_400 });
    const [first, middle, last] = [
      await harness.createOrder(),
      await harness.createOrder(),
      await harness.createOrder(),
    ];
    await harness.caughtUp();
    await harness.stopApps();
    const hashes = [await pay(first)];
    await harness.chain.anvil.mine(1_100);
    hashes.push(await pay(middle));
    await harness.chain.anvil.mine(1_100);
    hashes.push(await pay(last));
    await harness.chain.anvil.mine(confirmations);

    await harness.startApp();

    for (const [index, { order_id: id }] of [first, middle, last].entries()) {
      await harness.orderWith(id, { status: 'settled', settle_tx: hashes[index]!, late: false });
      expect(await harness.eventsOf(id)).toEqual(['order-created', 'order-settling', 'order-settled']);
    }
    const [position] = await harness.database.query('SELECT height FROM chain_positions');
    expect(position).toEqual({ height: String(await harness.chain.anvil.height()) });
    // The number of stored blocks stays limited, however many blocks were read.
    const [blocks] = await harness.database.query('SELECT count(*) FROM chain_blocks');
    expect(blocks).toEqual({ count: '64' });
  });

  it('does not read again below its stored height', async () => {
    await start();
    const [earlier, later] = [await harness.createOrder(), await harness.createOrder()];
    await pay(earlier);
    await harness.orderWith(earlier.order_id, { status: 'settling' });
    await harness.stopApps();
    // Resets the order as if the payment had never been seen. Only a second read of its block would find the payment.
    await harness.database.query(
      `UPDATE orders SET status = 'waiting_payment', pay_tx = NULL, paid_height = NULL`,
    );

    await harness.startApp();
    await pay(later);
    await harness.chain.anvil.mine(confirmations);
    await harness.orderWith(later.order_id, { status: 'settled' });

    expect(await harness.getOrder(earlier.order_id)).toMatchObject({ status: 'waiting_payment' });
  });

  it('acquires its lock again after all database connections failed, without missing or repeating anything', async () => {
    await start({ instances: 2 });
    const orders: CreateOrderReply[] = [];
    for (let round = 0; round < 6; round++) {
      const order = await eventually(() => harness.createOrder());
      await pay(order);
      orders.push(order);
      await harness.database.breakConnections();
    }
    await harness.chain.anvil.mine(confirmations);

    for (const { order_id: id } of orders) {
      await eventually(() => harness.orderWith(id, { status: 'settled', late: false }, 100));
      expect(await harness.eventsOf(id)).toEqual(['order-created', 'order-settling', 'order-settled']);
    }
  });
});

it('a replica that lost its lock cannot write blocks of a lost fork', async () => {
  await start();
  await harness.chain.anvil.mine(5);
  await harness.caughtUp();
  await harness.stopApps();
  const replica = await harness.startApp();
  const payments = replica.context.get(PaymentsRepository);
  const known = await payments.knownBlocks(harness.chain.id);
  const position = known.at(-1)!;
  const write = { chain: harness.chain.id, confirmations, nowMs: clock.now(), context: callContext() };
  const next = { ...position, height: position.height + 1, hash: madeUpHash, parentHash: position.hash };

  for (const after of [known.at(-2), undefined, { ...position, hash: madeUpHash }]) {
    const advance = { blocks: [next], payments: [], window: 64, valueOf: () => null };
    await expect(payments.advance({ ...write, after }, advance)).rejects.toThrow(
      'another replica changed the stored position',
    );
    await expect(payments.rollback({ ...write, after }, known[0]!)).rejects.toThrow(
      'another replica changed the stored position',
    );
  }

  expect(await payments.knownBlocks(harness.chain.id)).toEqual(known);
});

it('a payment to a contract of an earlier deployment settles its order', async () => {
  let earlier!: string;
  await start({ formerPayContracts: async (chain) => [(earlier = await chain.deployLookAlike())] });
  const order = await harness.createOrder();
  const hash = await harness.chain.pay(order.direct!.payment_order, { contract: earlier });
  await harness.chain.anvil.mine(confirmations);
  await harness.orderWith(order.order_id, { status: 'settled', settle_tx: hash });

  const second = await harness.chain.pay(order.direct!.payment_order);
  await harness.chain.anvil.mine(confirmations);
  const reason = expect.stringMatching(/^PAID_TWICE: /);
  const exceptions = [expect.objectContaining({ tx_hash: second, amount: '100000000', reason })];
  await harness.orderWith(order.order_id, { status: 'settled', settle_tx: hash, exceptions });
});

describe('a chain without new blocks', () => {
  it('expires no order and fails no report, and a payment in its next block is in time', async () => {
    await start();
    const { anvil } = harness.chain;
    const [unpaid, reported, paid] = [
      await harness.createOrder(),
      await harness.createOrder(),
      await harness.createOrder(),
    ];
    await anvil.setAutomine(false);
    const hash = await send(paid);
    expect(await harness.report(reported.order_id, madeUpHash)).toBe('settling');
    expect(await harness.report(paid.order_id, hash)).toBe('settling');

    clock.advance(5 * 60 * minute * 1000);
    await workersRan(reported.order_id);
    expect(await harness.getOrder(unpaid.order_id)).toMatchObject({ status: 'waiting_payment' });
    expect(await harness.getOrder(reported.order_id)).toMatchObject({ status: 'settling' });
    expect(await harness.getOrder(paid.order_id)).toMatchObject({ status: 'settling' });

    // Hours late by every clock except the chain's, at the last second that the contract accepts.
    await mineAt(deadlineOf(paid));
    await anvil.setAutomine(true);
    await mineAt(deadlineOf(paid));
    await workersRan(reported.order_id);
    await harness.orderWith(paid.order_id, { status: 'settled', settle_tx: hash, late: false });
    expect(await harness.getOrder(unpaid.order_id)).toMatchObject({ status: 'waiting_payment' });

    await mineAt(deadlineOf(paid) + 1);
    await harness.orderWith(unpaid.order_id, { status: 'expired' });
    clock.advance(minute * 1000);
    await harness.orderWith(reported.order_id, {
      status: 'expired',
      last_report: rejected(notFound),
    });
  });

  it('a chain ahead of the clock causes no early expiry of an order', async () => {
    await start();
    const order = await harness.createOrder();

    await mineAt(deadlineOf(order) + 60 * minute);
    await harness.apps[0]!.context.get(OrderExpiry).step();
    expect(await harness.getOrder(order.order_id)).toMatchObject({ status: 'waiting_payment' });

    clock.set(Date.parse(order.expires_at));
    await harness.orderWith(order.order_id, { status: 'expired' });
  });
});

it('an expired order cannot be paid, because the contract rejects the payment', async () => {
  await start();
  const order = await harness.createOrder();
  clock.set(Date.parse(order.expires_at));
  await mineAt(deadlineOf(order) + 1);
  await harness.orderWith(order.order_id, { status: 'expired' });

  await harness.chain.pay(order.direct!.payment_order, { isForced: true });
  await harness.chain.anvil.mine(confirmations);
  await harness.caughtUp();

  expect(await harness.getOrder(order.order_id)).toMatchObject({ status: 'expired', pay_tx: null });
  expect(await harness.report(order.order_id, madeUpHash)).toBe('ORDER_NOT_WAITING');
});

describe('a submitted transaction that is not mined', () => {
  it('leaves the order waiting after 10 minutes when no node has it, and settles the order when it is mined later', async () => {
    await start();
    const { anvil } = harness.chain;
    const order = await harness.createOrder();
    await anvil.setAutomine(false);
    const hash = await send(order);
    const raw = await anvil.rawTransaction(hash);
    await anvil.send('anvil_dropTransaction', [hash]);
    await anvil.setAutomine(true);
    const reportedAtMs = clock.now();
    expect(await harness.report(order.order_id, hash)).toBe('settling');

    // The chain has advanced, so the clock decides when the 10 minutes end.
    await mineAt(Math.ceil(reportedAtMs / 1000) + 20 * minute);
    clock.set(reportedAtMs + 10 * minute * 1000 - 1);
    await harness.reportVerified(order.order_id);
    expect(await harness.getOrder(order.order_id)).toMatchObject({ status: 'settling' });
    clock.set(reportedAtMs + 11 * minute * 1000);
    await harness.orderWith(order.order_id, {
      status: 'waiting_payment',
      last_report: rejected(notFound),
    });

    await anvil.send('eth_sendRawTransaction', [raw]);
    await anvil.mine(confirmations);
    await harness.orderWith(order.order_id, {
      status: 'settled',
      settle_tx: hash,
      late: false,
      failure_reason: null,
    });
  });

  it('keeps the order settling until its deadline while a node has it pending', async () => {
    await start();
    const order = await harness.createOrder();
    // The nonce leaves a gap, so the transaction waits for an earlier one that never arrives.
    const nonce = (await harness.chain.payer.getNonce()) + 1;
    const hash = await harness.chain.send(order.direct!.payment_order, { nonce, isForced: true });
    expect(await harness.report(order.order_id, hash)).toBe('settling');

    clock.set(Date.parse(order.expires_at));
    await mineAt(deadlineOf(order));
    clock.advance(minute * 1000);
    await harness.reportVerified(order.order_id);
    expect(await harness.getOrder(order.order_id)).toMatchObject({ status: 'settling' });

    await mineAt(deadlineOf(order) + 1);
    clock.advance(minute * 1000);
    await harness.orderWith(order.order_id, {
      status: 'expired',
      last_report: rejected('TX_NOT_MINED: the reported transaction was not mined before the order expired'),
    });
  });

  it('settles the order by its replacement with the same nonce', async () => {
    await start();
    const { anvil, payer } = harness.chain;
    const order = await harness.createOrder();
    await anvil.setAutomine(false);
    const hash = await send(order);
    expect(await harness.report(order.order_id, hash)).toBe('settling');
    const { to, data, nonce, gasLimit, maxFeePerGas } = (await anvil.provider.getTransaction(hash))!;
    const fee = maxFeePerGas! * 2n;
    const faster = { to, data, nonce, gasLimit, maxFeePerGas: fee, maxPriorityFeePerGas: fee };
    const replacement = await payer.sendTransaction(faster as never);
    await anvil.setAutomine(true);
    await anvil.mine(confirmations);

    await harness.orderWith(order.order_id, {
      status: 'settled',
      pay_tx: replacement.hash,
      settle_tx: replacement.hash,
      late: false,
    });
  });
});

describe('the watcher and the nodes of its chain', () => {
  const opened: { close(): Promise<void> }[] = [];
  let link: TcpLink;

  afterEach(async () => {
    for (const it of opened.splice(0)) await it.close();
  });

  it('fails and expires nothing while all nodes are down, and settles payments made meanwhile in time', async () => {
    await start({
      rpcUrls: async ({ anvil }) => {
        link = await openTcpLink(anvil.url);
        opened.push(link);
        return [link.url];
      },
    });
    const [unpaid, reported, paid] = [
      await harness.createOrder(),
      await harness.createOrder(),
      await harness.createOrder(),
    ];
    expect(await harness.report(reported.order_id, madeUpHash)).toBe('settling');
    // A report is compared with blocks that the watcher has read, so at least one block is needed.
    await harness.caughtUp();
    await link.cut();
    const hash = await pay(paid);
    await harness.chain.anvil.mine(confirmations);
    await harness.chain.anvil.mineAt(deadlineOf(unpaid) + 1);

    clock.advance(5 * 60 * minute * 1000);
    await workersRan(reported.order_id);
    expect(await harness.getOrder(unpaid.order_id)).toMatchObject({ status: 'waiting_payment' });
    expect(await harness.getOrder(reported.order_id)).toMatchObject({ status: 'settling' });

    await link.mend();
    await harness.orderWith(paid.order_id, { status: 'settled', settle_tx: hash, late: false });
    await harness.orderWith(unpaid.order_id, { status: 'expired' });
    clock.advance(2 * minute * 1000);
    await harness.orderWith(reported.order_id, {
      status: 'expired',
      last_report: rejected(notFound),
    });
  });

  it('skips nodes that are down, are on another chain, have a rate limit, or lag behind', async () => {
    const otherChain = await startAnvil({ chainId: 1 });
    const lagging = await startAnvil({ chainId: baseChainId });
    const busy = createServer((_request, response) => response.writeHead(429, { 'retry-after': '60' }).end());
    await new Promise<void>((resolve) => busy.listen(0, '127.0.0.1', resolve));
    const busyUrl = `http://127.0.0.1:${(busy.address() as AddressInfo).port}`;
    opened.push(
      { close: () => otherChain.stop() },
      { close: () => lagging.stop() },
      { close: async () => void busy.close().closeAllConnections() },
    );
    await start({
      rpcUrls: async ({ anvil }) => {
        link = await openTcpLink(anvil.url);
        await link.cut();
        // Further ahead than the allowed lag of a node, which is a minute of blocks on this chain.
        await anvil.mine(40);
        return [link.url, otherChain.url, busyUrl, lagging.url, anvil.url];
      },
    });

    const order = await harness.createOrder();
    await pay(order);
    await harness.chain.anvil.mine(confirmations);

    await harness.orderWith(order.order_id, { status: 'settled' });
  });
});
