import type { CreateOrderReply, OrderReply } from '@tollbridge/contracts';
import { eventually, ManualClock } from '@tollbridge/testing';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PayOrders, type HarnessOptions } from '../testing/pay-orders';

const across = {
  pay_blockchain: 'eip155:42161',
  pay_token: 'WETH',
  settle_chain: 'eip155:8453',
  settle_token: 'USDC',
  merchant_amount: '25000000',
};
let harness: PayOrders;

const start = async (options: HarnessOptions = {}): Promise<void> => {
  harness = await PayOrders.start({ confirmations: 2, otherChainId: 42161, routes: 'simulated', ...options });
};
afterEach(() => harness?.close());

const deposit = ({ cross_chain }: CreateOrderReply): Promise<string> => {
  const { deposit_address: address, deposit_amount: amount } = cross_chain!;
  return harness.otherChain!.transfer(address, BigInt(amount), harness.otherChain!.weth.address);
};

/** Mines blocks on both chains until the order has the expected state. */
function orderComesTo(id: string, expected: object): Promise<OrderReply> {
  return eventually(async () => {
    await Promise.all([harness.chain.anvil.mine(), harness.otherChain!.anvil.mine()]);
    const order = await harness.getOrder(id);
    expect(order).toMatchObject(expected);
    return order;
  });
}

it('two replicas handle each deposit once', async () => {
  await start({ instances: 2 });
  const orders = await Promise.all(Array.from({ length: 8 }, () => harness.createOrder(across)));
  for (const order of orders) await deposit(order);
  const settled: OrderReply[] = [];
  for (const { order_id: id } of orders) {
    settled.push(await orderComesTo(id, { status: 'settled', late: false, settled_amount: '25000000' }));
    expect(await harness.eventsOf(id)).toEqual(['order-created', 'order-settling', 'order-settled']);
  }
  const claims = await harness.database.query(
    'SELECT DISTINCT chain, tx_hash, log_index FROM settlement_claims',
  );
  expect(claims).toHaveLength(orders.length);
});

it('orders wait during an outage of an hour, and continue after it', async () => {
  const clock = new ManualClock(Date.now());
  await start({ clock });
  const [paid, reported, unpaid] = await Promise.all([1, 2, 3].map(() => harness.createOrder(across)));
  harness.oneClick.outage('down');
  await deposit(paid!);
  expect(await harness.report(reported!.order_id, await deposit(reported!))).toBe('settling');
  // Advances the clock in steps, so that every poll runs.
  for (let minutes = 0; minutes < 60; minutes += 5) {
    clock.advance(5 * 60_000);
    await eventually(async () => {
      const asked = await harness.database.query<{ check_at: Date }>('SELECT check_at FROM deposits');
      expect(asked.every(({ check_at }) => check_at.getTime() > clock.now())).toBe(true);
    });
  }
  for (const { order_id: id } of [paid!, unpaid!])
    expect(await harness.getOrder(id)).toMatchObject({ status: 'waiting_payment' });
  expect(await harness.getOrder(reported!.order_id)).toMatchObject({ status: 'settling' });

  harness.oneClick.outage('up');
  const ticking = setInterval(() => clock.advance(1_000), 50);
  try {
    for (const { order_id: id } of [paid!, reported!])
      await orderComesTo(id, { status: 'settled', late: false });
    await orderComesTo(unpaid!.order_id, { status: 'expired' });
  } finally {
    clearInterval(ticking);
  }
  expect(await harness.eventsOf(unpaid!.order_id)).toEqual(['order-created', 'order-expired']);
});

describe("a failure between the provider's reply and the commit", () => {
  let afterAnswer: () => Promise<unknown>;

  /** Forwards each request, and runs a hook before it returns a committed quote. */
  async function proxy(url: string) {
    const server = createServer((request, response) => {
      void forward(request, url)
        .then(async ({ status, type, body, isCommitment }) => {
          if (isCommitment) await afterAnswer();
          response.writeHead(status, { 'content-type': type }).end(body);
        })
        .catch(() => response.destroy());
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    return {
      url: `http://127.0.0.1:${port}`,
      close: () => new Promise((resolve) => server.close(resolve).closeAllConnections()),
    };
  }

  async function forward(request: IncomingMessage, url: string) {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    const reply = await fetch(url + request.url, {
      method: request.method!,
      ...(text !== '' && { body: text, headers: { 'content-type': 'application/json' } }),
    });
    const isCommitment = text.includes('"dry":false');
    const type = reply.headers.get('content-type') ?? 'text/plain';
    return { status: reply.status, type, body: await reply.text(), isCommitment };
  }

  beforeEach(() => {
    afterAnswer = async () => undefined;
  });

  /** Expects a deposit for each order, a stored request for each deposit address, and no shared address. */
  async function expectEverythingStored(acknowledged: CreateOrderReply[]): Promise<void> {
    const orders = await harness.database.query<{
      id: string;
      address: string | null;
      outcome: string | null;
    }>(
      `SELECT o.id, d.address, c.outcome FROM orders o LEFT JOIN deposits d ON d.order_id = o.id
       LEFT JOIN route_commits c ON c.order_id = o.id WHERE o.method = 'CrossChain'`,
    );
    for (const order of orders)
      expect(order).toEqual({ id: order.id, address: expect.any(String), outcome: 'committed' });
    const known = new Map(orders.map(({ id, address }) => [id, address]));
    for (const { order_id: id, cross_chain } of acknowledged)
      expect(known.get(id)).toBe(cross_chain!.deposit_address);
    const [minted] = await harness.routesDatabase!.query<{ count: string }>('SELECT count(*) FROM swaps');
    const [requested] = await harness.database.query<{ count: string }>('SELECT count(*) FROM route_commits');
    expect(Number(minted!.count)).toBeLessThanOrEqual(Number(requested!.count));
    expect(Number(minted!.count)).toBeGreaterThanOrEqual(orders.length);
  }

  it('stores the order with its address, or only the request, when the database fails', async () => {
    await start({ routesThrough: proxy });
    let answers = 0;
    afterAnswer = async () => {
      if (++answers % 3 === 0) await harness.database.breakConnections();
    };
    const outcomes = await Promise.allSettled(Array.from({ length: 24 }, () => harness.createOrder(across)));
    const acknowledged = outcomes.flatMap((outcome) =>
      outcome.status === 'fulfilled' ? [outcome.value] : [],
    );
    expect(acknowledged.length).toBeGreaterThan(0);
    await eventually(() => expectEverythingStored(acknowledged));
  });

  it('completes or records each request when the app stops, and repeats none', async () => {
    await start({ routesThrough: proxy });
    let release!: () => void;
    const released = new Promise<void>((resolve) => (release = resolve));
    let waiting = 0;
    afterAnswer = async () => {
      waiting++;
      await released;
    };
    const calls = Array.from({ length: 6 }, () => harness.createOrder(across));
    const outcomes = Promise.allSettled(calls);
    await eventually(() => expect(waiting).toBe(6));
    const stopping = harness.stopApps();
    release();
    await stopping;
    const acknowledged = (await outcomes).flatMap((outcome) =>
      outcome.status === 'fulfilled' ? [outcome.value] : [],
    );
    expect(acknowledged).toHaveLength(6);
    await expectEverythingStored(acknowledged);
  });

  it('closes a request without an outcome as unknown after five minutes', async () => {
    const clock = new ManualClock(Date.now());
    await start({ clock });
    await harness.database.query(
      `INSERT INTO route_commits (order_id, request, asked_at) VALUES (gen_random_uuid(), '{}', $1)`,
      [new Date(clock.now())],
    );
    clock.advance(5 * 60_000 + 1);
    await eventually(async () =>
      expect(await harness.database.query('SELECT outcome FROM route_commits')).toEqual([
        { outcome: 'unknown' },
      ]),
    );
  });
});
