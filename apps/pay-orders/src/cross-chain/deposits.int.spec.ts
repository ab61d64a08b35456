import { callContext } from '@tollbridge/rpc';
import { Database, transaction } from '@tollbridge/database';
import type { CommittedRoute, RouteStatus } from '@tollbridge/routing';
import { type FreshDatabase } from '@tollbridge/testing';
import { entities } from '../entities';
import { createdReply } from '../orders/create-order';
import { recordException } from '../orders/storage/order-transitions.repository';
import { OrdersRepository } from '../orders/storage/orders.repository';
import { claimFree } from '../payments/plain-transfers.repository';
import { v7 as uuid } from 'uuid';
import { anOrder, anOrderDeposit } from '../orders/testing/order.builder';
import type { Delivery } from './deposit';
import type { Findings } from './deposit-findings.repository';
import { DepositsRepository, type DueDeposit } from './deposits.repository';
import { migratedDatabase } from '../testing/migrated-database';
import { aRouteStatus } from './testing/route-status.builder';

const context = callContext({ principal: 'test' });
const terms = anOrder({ method: 'CrossChain', direct: null, payChain: 'btc', payToken: 'BTC' });
const nowMs = terms.createdAtMs + 60_000;
const valueOf = () => null;
const deposit = { address: 'bc1qdeposit', memo: null };

let database: FreshDatabase;
let connection: Database;
let deposits: DepositsRepository;

beforeEach(async () => {
  database = await migratedDatabase();
  const options = { app: 'pay-orders', url: database.runtimeUrl, entities, maxConnections: 4 };
  connection = await Database.open(options);
  deposits = new DepositsRepository(connection);
  const committed: CommittedRoute = {
    deposit,
    deadline: new Date(terms.expiresAtMs + 7_200_000),
    inactiveAt: null,
    signedQuote: {},
    amountInAtomic: 1_010n,
    minAmountInAtomic: 1_000n,
    amountOutAtomic: terms.merchantAmount,
    amountInUsd: null,
    amountOutUsd: null,
    estimatedSeconds: 60,
  };
  const stored = anOrderDeposit({ ...deposit, amount: 1_010n });
  const order = { terms, deposit: stored, committed, reply: createdReply(terms, stored) };
  await deposits.insertOrder(order, terms.createdAtMs, context);
});
afterEach(async () => {
  await connection?.close();
  await database?.drop();
});

const status = aRouteStatus({ amountOutAtomic: 1n });

/** Expects that checks continue after the final state, until a day after the end of the deposit address. */
async function expectFollowedUntilClosed(findings: Findings): Promise<void> {
  const [due] = await deposits.takeDue(nowMs + 3_600_000, 1, 1);
  expect(due).toMatchObject({ endedAtMs: nowMs });
  const closesAtMs = due!.deadlineMs + 24 * 3_600_000 + 1;
  const verdict = await deposits.apply(due!, { ...findings, nowMs: closesAtMs }, context);
  expect(verdict).toMatchObject({ changes: [], isOver: true });
  await expect(deposits.takeDue(closesAtMs + 3_600_000, 1, 1)).resolves.toEqual([]);
}

it.each<[string, Partial<RouteStatus>, Delivery, string]>([
  ['delivered short', { amountOutAtomic: 1n }, { kind: 'unread' }, 'failed'],
  ['delivered', { amountOutAtomic: terms.merchantAmount }, { kind: 'unread' }, 'settled'],
  ['refunded', { state: 'refunded', refundReason: 'the rate moved too far' }, { kind: 'pending' }, 'failed'],
])(
  'changes the order of a deposit that was %s once, in any replica',
  async (_case, published, delivery, end) => {
    const [due] = (await deposits.takeDue(nowMs, 1, 1)) as [DueDeposit];
    const findings = {
      status: { ...status, ...published },
      delivery,
      valueOf,
      nowMs,
      nextCheckAtMs: nowMs + 1,
    };
    const verdicts = await Promise.all([1, 2, 3].map(() => deposits.apply(due, findings, context)));
    expect(verdicts.filter(({ changes }) => changes.length > 0)).toHaveLength(1);
    const [order] = (await database.query('SELECT status FROM orders')) as [{ status: string }];
    expect(order.status).toBe(end);
    await expectFollowedUntilClosed(findings);
  },
);

it('publishes a refund of a deposit that arrived after its order failed', async () => {
  await database.query("UPDATE orders SET status = 'failed', failure_reason = 'DEPOSIT_NOT_FOUND'");
  const [due] = (await deposits.takeDue(nowMs, 1, 1)) as [DueDeposit];
  const sentBack = { ...status, state: 'refunded', refundedAtomic: 1_009n } as const;
  const delivery = { kind: 'pending' } as const;
  const findings = { status: sentBack, delivery, valueOf, nowMs, nextCheckAtMs: nowMs + 1 };
  await Promise.all([1, 2].map(() => deposits.apply(due, findings, context)));
  const published = await database.query<{ type: string; refunded: string | null }>(
    "SELECT payload->>'type' AS type, payload->'data'->>'refunded_amount' AS refunded FROM outbox ORDER BY seq",
  );
  expect(published.slice(-2)).toEqual([
    { type: 'order-settling', refunded: '1009' },
    { type: 'order-failed', refunded: '1009' },
  ]);
  await expectFollowedUntilClosed(findings);
});

it('records and publishes a second deposit after the settlement, and its refund', async () => {
  const [due] = (await deposits.takeDue(nowMs, 1, 1)) as [DueDeposit];
  const paid = { ...status, amountOutAtomic: terms.merchantAmount };
  const apply = (found: RouteStatus) => {
    const delivery: Delivery = { kind: 'unread' };
    return deposits.apply(due, { status: found, delivery, valueOf, nowMs, nextCheckAtMs: nowMs }, context);
  };
  await apply(paid);
  const twice = { ...paid, depositTxs: [...paid.depositTxs, 'again'], depositedAtomic: 2_020n };
  await apply(twice);
  await apply({ ...twice, refundedAtomic: 1_000n });
  // The same findings again, in three concurrent replicas.
  await Promise.all([1, 2, 3].map(() => apply({ ...twice, refundedAtomic: 1_000n })));

  const exceptions = await database.query(
    'SELECT kind, chain, token, amount, tx_hash FROM order_exceptions ORDER BY seen_at, kind',
  );
  const asset = { chain: 'btc', token: 'BTC' };
  expect(exceptions).toEqual([
    { ...asset, kind: 'deposit', amount: '1010', tx_hash: 'again' },
    { ...asset, kind: 'refund', amount: '1000', tx_hash: null },
  ]);
  const published = await database.query(
    `SELECT payload->>'type' AS type, payload->'data'->>'status' AS status, payload->'data'->>'refunded_amount' AS refunded,
       payload->'data'->'exception'->>'amount' AS amount FROM outbox ORDER BY seq`,
  );
  expect(published.slice(-3)).toEqual([
    { type: 'order-settled', status: 'settled', refunded: null, amount: null },
    { type: 'order-exception', status: 'settled', refunded: null, amount: '1010' },
    { type: 'order-exception', status: 'settled', refunded: '1000', amount: '1000' },
  ]);
});

it('does not settle a second order with a transfer that already settled one', async () => {
  const transfers = [{ txHash: '0xout', logIndex: 3, amountAtomic: terms.merchantAmount }];
  await database.query(
    `INSERT INTO payments (chain, block_hash, log_index, tx_hash, height, order_id, order_hash, payer, fields)
     VALUES ($1, '0xblock', 7, '0xout', 1, gen_random_uuid(), '0xhash', '0xpayer', '{}')`,
    [terms.settleChain],
  );
  const [due] = await deposits.takeDue(nowMs, 1, 30_000);
  const delivery: Delivery = { kind: 'read', transfers };
  const findings = { status, delivery, valueOf, nowMs, nextCheckAtMs: nowMs };

  const verdict = await deposits.apply(due!, findings, context);

  expect(verdict).toMatchObject({ claims: [], problem: expect.stringContaining('do not pay the merchant') });
  expect(await database.query('SELECT status FROM orders')).toEqual([{ status: 'settling' }]);
});

it('settles with its delivery, even if another client has reported it for an order of their own before', async () => {
  const stranger = anOrder({ id: uuid() });
  const orders = new OrdersRepository(connection);
  await orders.insert({ terms: stranger, context }, createdReply(stranger, null));
  const transfer = { txHash: '0xout', logIndex: 3, amountAtomic: terms.merchantAmount };
  await transaction(connection.pool, async (client) => {
    expect(await claimFree(client, stranger.id, terms.settleChain, [transfer])).toHaveLength(1);
    const received = { chain: terms.settleChain, token: 'USDC', amountAtomic: transfer.amountAtomic };
    const reason = 'UNKNOWN_SENDER: this part not from a wallet that signed in to create the order';
    const exception = { kind: 'transfer', txHash: '0xout', reason, ...received } as const;
    await recordException(client, stranger.id, exception, nowMs, context);
  });
  const [due] = await deposits.takeDue(nowMs, 1, 30_000);
  const delivery: Delivery = { kind: 'read', transfers: [transfer] };
  await deposits.apply(due!, { status, delivery, valueOf, nowMs, nextCheckAtMs: nowMs }, context);

  expect(await database.query('SELECT id, status FROM orders ORDER BY status')).toEqual([
    { id: terms.id, status: 'settled' },
    { id: stranger.id, status: 'waiting_payment' },
  ]);
  expect(await database.query('SELECT order_id FROM settlement_claims')).toEqual([{ order_id: terms.id }]);
  await transaction(connection.pool, async (client) =>
    expect(await claimFree(client, stranger.id, terms.settleChain, [transfer])).toEqual([]),
  );
});
