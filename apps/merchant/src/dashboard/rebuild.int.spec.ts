import { dashboardApi, orderHistoryApi, type PastOrderEvent } from '@tollbridge/contracts';
import { walletPrincipal } from '@tollbridge/rpc';
import { eventually } from '@tollbridge/testing';
import { connect, type NatsConnection } from 'nats';
import { oneOf, randomHistory, randomOf, shuffled } from '../testing/order-histories';
import type { PublishedOrder } from '../testing/published-order';
import { confirmations, PayLinkHarness, someWallet } from '../testing/paylink-harness';
import { Generations } from './generations.repository';
import { rebuildDashboard, type Rebuild } from './rebuild-dashboard';
import { testOperator } from '../testing/test-operator';

const { getOverview, listTransactions } = dashboardApi.operations;
let harness: PayLinkHarness;
let nats: NatsConnection;
/** The order events in the outbox of the fake payment service. */
const history: PastOrderEvent[] = [];
let pauseMs = 0;
let isSilent = false;
/**
 * The sequence numbers of the events that the payment service has pruned, and the time that it reports for the pruning.
 */
let prunedSeqs = new Set<number>();
let prunedUntil: string | undefined;

beforeAll(async () => {
  harness = await PayLinkHarness.start();
  await harness.startApp();
  nats = await connect({ servers: harness.merchant.nats.url });
  nats.subscribe(orderHistoryApi.operations.orderHistory.subject, {
    callback: (_error, message) => {
      const { afterSeq } = message.json<{ afterSeq: number }>();
      const events = history.filter(({ seq }) => seq > afterSeq && !prunedSeqs.has(seq)).slice(0, 200);
      setTimeout(() => {
        message.respond(isSilent ? '' : JSON.stringify({ events, prunedUntil }));
      }, pauseMs);
    },
  });
});
afterAll(async () => {
  await nats?.close();
  await harness?.close();
});

const app = () => harness.merchant.apps[0]!;
const rebuild = (onProgress?: (events: number) => void): Promise<Rebuild> =>
  rebuildDashboard(app().database!, app().busClient, {
    operator: testOperator,
    ...(onProgress && { onProgress }),
  });
const query = (text: string) => harness.merchant.database.query(text);

/** Publishes events like the payment service, which first stores them in its outbox. */
async function publish(published: readonly PublishedOrder[]): Promise<void> {
  for (const { id, type, order } of published) history.push({ seq: history.length + 1, id, type, order });
  await harness.merchant.publishOrders(published);
}
const allHandled = (): Promise<void> =>
  eventually(async () => expect(await harness.merchant.handled()).toBe(history.length), {
    timeoutMs: 60_000,
  });

/** All records and sums of the active generation. */
const snapshot = async () => ({
  records: await query(
    `SELECT to_jsonb(t) - 'generation' AS record FROM dashboard_transactions t
     WHERE generation = (SELECT active FROM dashboard_state) ORDER BY id`,
  ),
  sums: await query(
    `SELECT to_jsonb(s) - 'generation' AS sum FROM dashboard_sums s
     WHERE generation = (SELECT active FROM dashboard_state) AND (completed, unsuccessful, amount) <> (0, 0, 0)
     ORDER BY wallet, day, network, token`,
  ),
});

let seed = 1;
const wallets = [someWallet(), someWallet(), someWallet()];
const histories = (count: number): PublishedOrder[] => {
  const random = randomOf(seed++);
  const events = Array.from({ length: count }, () =>
    randomHistory(random, oneOf(random, wallets), { fromMs: Date.now() - 20 * 86_400_000, days: 20 }),
  );
  return shuffled(random, events.flat());
};

it('restores the records and sums of orders and PayLinks, and repairs damaged rows', async () => {
  await publish(histories(80));
  const wallet = wallets[0]!;
  const { id } = await harness.create({}, wallet);
  await harness.foundation();
  const [restored, lost] = [await harness.paid(3_500_000n, { depth: 1 }), await harness.paid()];
  const raw = await harness.anvil.rawTransaction(restored);
  for (const hash of [restored, lost]) await harness.pay(id, hash);
  await harness.anvil.reorg(confirmations + 2);
  const counts = (payment_count: number) =>
    eventually(async () => expect(await harness.link(id, wallet)).toMatchObject({ payment_count }));
  await counts(0);
  await harness.anvil.send('eth_sendRawTransaction', [raw]);
  await harness.anvil.mine(confirmations);
  await counts(1);
  await allHandled();

  const before = await snapshot();
  expect(before.records.length).toBeGreaterThan(60);
  const states = (await harness.merchant.call(listTransactions, { limit: 100 }, walletPrincipal(wallet)))
    .filter(({ description }) => description === 'PayLink: Espresso')
    .map(({ status }) => status);
  expect(states.sort()).toEqual(['completed', 'reversed']);

  const same = await rebuild();
  expect(same).toMatchObject({ comparison: { records: before.records.length, differing: 0, examples: [] } });
  expect(same.events).toBeGreaterThan(history.length);
  expect(await snapshot()).toEqual(before);

  const overview = await harness.merchant.call(getOverview, {}, walletPrincipal(wallet));
  await query(
    `DELETE FROM dashboard_transactions WHERE id IN (SELECT id FROM dashboard_transactions LIMIT 3)`,
  );
  await query(
    `UPDATE dashboard_transactions SET amount = amount + 1, outcome = 'failed' WHERE wallet = '${wallets[1]}'`,
  );
  await query(`UPDATE dashboard_sums SET value_usd = value_usd * 2 WHERE wallet = '${wallet}'`);
  await query(
    `INSERT INTO dashboard_transactions (generation, id, wallet, tx_type, version, outcome, is_own, is_seen, was_completed,
       amount, fee_amount, token, network, tx_hash, description, late, created_at, updated_at)
     SELECT active, gen_random_uuid(), 'unknown-wallet', 'payment', 1, 'pending', true, true, false, 1, 0, 'X', 'ton', '', '', false,
       now(), now() FROM dashboard_state`,
  );
  expect(await harness.merchant.call(getOverview, {}, walletPrincipal(wallet))).not.toEqual(overview);
  const mended = await rebuild();
  expect(mended.comparison.differing).toBeGreaterThan(4);
  const named = new Set(mended.comparison.examples.map((example) => example.wallet));
  expect([...named]).toEqual(expect.arrayContaining([wallets[1]]));
  expect(await snapshot()).toEqual(before);
  expect(await harness.merchant.call(getOverview, {}, walletPrincipal(wallet))).toEqual(overview);
  // The former generation is deleted.
  expect(await query('SELECT DISTINCT generation FROM dashboard_transactions')).toHaveLength(1);
  expect(await query('SELECT DISTINCT generation FROM dashboard_sums')).toHaveLength(1);
});

it('copies the records of pruned events, so that a rebuild changes nothing', async () => {
  await publish(histories(40));
  await allHandled();
  const before = await snapshot();
  const until = new Date(Date.now() - 8 * 86_400_000);
  const old = await query(`SELECT order_id FROM dashboard_transactions
    WHERE generation = (SELECT active FROM dashboard_state) AND order_id IS NOT NULL AND created_at < '${until.toISOString()}'`);
  const ids = new Set(old.map(({ order_id }) => order_id));
  expect(ids.size).toBeGreaterThan(10);
  // Half of the orders lose all of their events, and the other half only the first ones.
  prunedSeqs = new Set(
    history.filter(({ seq, order }) => ids.has(order.order_id) && seq % 2 === 0).map(({ seq }) => seq),
  );
  try {
    // Without a reported time, the rebuild cannot copy the records and reports the differences.
    const { comparison } = await rebuild();
    expect(comparison.differing).toBeGreaterThan(0);
    prunedSeqs = new Set();
    await rebuild();
    expect(await snapshot()).toEqual(before);

    prunedSeqs = new Set(history.filter(({ order }) => ids.has(order.order_id)).map(({ seq }) => seq));
    prunedUntil = until.toISOString();
    await query('UPDATE outbox SET subject = subject || $$.pruned$$');
    await query(`INSERT INTO retention_progress (table_name, started_at, due_at, pruned_until)
      VALUES ('outbox', now(), now() + interval '1 hour', now() + interval '1 hour')
      ON CONFLICT (table_name) DO UPDATE SET pruned_until = excluded.pruned_until, due_at = excluded.due_at`);
    const rebuilt = await rebuild();
    expect(rebuilt.copied).toBeGreaterThan(ids.size - 1);
    expect(rebuilt.comparison).toMatchObject({ records: before.records.length, differing: 0 });
    expect(await snapshot()).toEqual(before);
  } finally {
    prunedSeqs = new Set();
    prunedUntil = undefined;
    await query("UPDATE outbox SET subject = replace(subject, '.pruned', '')");
    await query("UPDATE retention_progress SET pruned_until = NULL WHERE table_name = 'outbox'");
  }
});

it('records each rebuild in the audit log, also a failed one', async () => {
  const recorded = () =>
    query(`SELECT outcome, operator, error FROM operator_actions WHERE action = 'rebuild' ORDER BY seq DESC`);
  const count = (await recorded()).length;
  await rebuild();
  isSilent = true;
  try {
    await expect(rebuild()).rejects.toThrow();
  } finally {
    isSilent = false;
  }
  const added = (await recorded()).slice(0, -count || undefined);
  expect(added).toMatchObject([
    { outcome: 'failed', operator: 'alice', error: expect.any(String) },
    { outcome: 'done', operator: 'alice', error: null },
  ]);
});

it('loses no event that is published during the rebuild', async () => {
  const events = histories(150);
  pauseMs = 40;
  const done: string[] = [];
  const publishing = (async () => {
    for (let at = 0; at < events.length; at += 20) await publish(events.slice(at, at + 20));
    done.push('published');
  })();
  const { id } = await harness.create({}, wallets[2]);
  const paying = harness.paid().then((hash) => harness.pay(id, hash));
  let hasProgress = false;
  await rebuild(() => (hasProgress = true)).then(() => done.push('rebuilt'));
  pauseMs = 0;
  await Promise.all([publishing, paying]);
  await allHandled();
  expect([hasProgress, done.sort()]).toEqual([true, ['published', 'rebuilt']]);
  // A rebuild without concurrent events finds no difference.
  expect(await rebuild()).toMatchObject({ comparison: { differing: 0, examples: [] } });
});

it('leaves the dashboard unchanged when a rebuild fails or its process dies, and the next rebuild completes', async () => {
  const before = await snapshot();
  isSilent = true;
  await expect(rebuild()).rejects.toThrow();
  isSilent = false;
  // When a rebuild has died, events are still written to its generation.
  await new Generations(app().database!.pool).begin();
  expect(await snapshot()).toEqual(before);
  await publish(histories(5));
  await allHandled();
  const after = await snapshot();
  expect(after.records.length).toBeGreaterThan(before.records.length);
  expect(await rebuild()).toMatchObject({ comparison: { differing: 0 } });
  expect(await snapshot()).toEqual(after);
});

it('rejects a second concurrent rebuild', async () => {
  pauseMs = 20;
  const both = await Promise.allSettled([rebuild(), rebuild()]);
  pauseMs = 0;
  expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  expect(both.find(({ status }) => status === 'rejected')).toMatchObject({
    reason: { message: 'Another process is rebuilding the dashboard.' },
  });
});
