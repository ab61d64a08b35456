// Verifies the events of orders: the merchant app must have applied each exactly once.
import { setTimeout as sleep } from 'node:timers/promises';

// Events that a killed process had received are redelivered after one minute.
const caughtUpWithinMs = 180_000;

const eventsOfOrders = `SELECT id, aggregate_id::uuid AS order_id, payload->>'type' AS type,
    (payload->>'aggregateVersion')::int AS version, payload->'data' AS data
  FROM pay_orders.outbox WHERE payload->>'type' LIKE 'order-%'`;

// Amounts of different tokens are counted separately.
const settledByToken = `(SELECT settle_chain AS chain, settle_token AS token, count(*) AS orders, sum(settled_amount) AS received
  FROM pay_orders.orders WHERE status = 'settled' GROUP BY 1, 2)`;

/** SQL queries that must return no rows. */
const faults = {
  'unhandled events': `SELECT id FROM events WHERE NOT EXISTS
    (SELECT FROM merchant.inbox i WHERE i.consumer = 'merchant-orders' AND i.event_id = events.id)`,
  'dead-lettered events': `SELECT id FROM merchant.dead_letters WHERE consumer = 'merchant-orders'`,
  'orders that differ from their newest event': `SELECT order_id FROM
      (SELECT DISTINCT ON (order_id) * FROM events ORDER BY order_id, version DESC) newest
    LEFT JOIN merchant.orders o ON o.id = newest.order_id
    WHERE (o.version, o.data::jsonb) IS DISTINCT FROM (newest.version, newest.data::jsonb)`,
  'orders without a dashboard record': `SELECT o.id FROM merchant.orders o LEFT JOIN merchant.dashboard_transactions t
      ON t.id = o.id AND t.generation = (SELECT active FROM merchant.dashboard_state)
    WHERE t.version IS DISTINCT FROM o.version`,
  // A later price (`order-valued`) causes no webhook.
  'events without exactly one webhook message': `SELECT events.order_id, events.type, events.version, messages.count
    FROM (SELECT * FROM events WHERE type <> 'order-valued') events FULL JOIN
      (SELECT (payload::json->'data'->>'order_id')::uuid AS order_id, (payload::json->'data'->>'version')::int AS version, type, count(*)
       FROM merchant.webhook_messages WHERE wallet = $1 AND type LIKE 'order.%' GROUP BY 1, 2, 3) messages
      ON messages.order_id = events.order_id AND messages.version = events.version
        AND messages.type = replace(events.type, '-', '.')
    WHERE messages.count IS DISTINCT FROM 1`,
  'settled orders without exactly one payment on the chain': `SELECT o.id, o.pay_chain, p.count FROM pay_orders.orders o LEFT JOIN
      (SELECT order_id, count(*) FROM pay_orders.payments WHERE NOT removed AND mismatch IS NULL GROUP BY 1) p ON p.order_id = o.id
    WHERE o.status = 'settled' AND o.method = 'Direct' AND p.count IS DISTINCT FROM 1`,
  'dashboard sums that differ from the settled orders': `SELECT * FROM
      (SELECT network AS chain, token, sum(completed) AS completed, sum(amount) AS amount FROM merchant.dashboard_sums
       WHERE day = '-infinity' AND generation = (SELECT active FROM merchant.dashboard_state) GROUP BY 1, 2) s
    FULL JOIN ${settledByToken} o USING (chain, token)
    WHERE (coalesce(s.completed, 0), coalesce(s.amount, 0)) <> (coalesce(o.orders, 0), coalesce(o.received, 0))`,
  'ledger entries that differ from the settled orders': `SELECT * FROM
      (SELECT chain, token, sum(amount) AS received FROM merchant.ledger_entries WHERE account = 'merchant:received' GROUP BY 1, 2) l
    FULL JOIN ${settledByToken} o USING (chain, token)
    WHERE coalesce(l.received, 0) <> coalesce(o.received, 0)`,
};

/** @returns the figures of the checks; rejects with the first fault */
export async function checkEvents(deployment, load, print) {
  const stored = await deployment.query('SELECT id FROM pay_orders.orders');
  const ids = new Set(stored.map(({ id }) => id));
  const lost = [...load.acknowledged].filter((id) => !ids.has(id));
  if (lost.length > 0)
    throw new Error(`${lost.length} acknowledged orders are lost, the first is ${lost[0]}`);
  await untilCaughtUp(deployment);
  for (const [name, text] of Object.entries(faults)) {
    const values = text.includes('$1') ? [load.wallet] : [];
    const rows = await deployment.query(`WITH events AS MATERIALIZED (${eventsOfOrders}) ${text}`, values);
    if (rows.length > 0) throw new Error(`${rows.length} ${name}, the first is ${JSON.stringify(rows[0])}`);
  }
  await checkLedger(deployment, load);
  const output = await deployment.run('tools/rebuild.mjs', 'dashboard');
  if (!output.includes('All records and sums equal the previous ones'))
    throw new Error(`rebuilding the dashboard changed it:\n${output}`);
  print('every acknowledged order exists, every event was handled once');
  const [{ count }] = await deployment.query(`SELECT count(*)::int AS count FROM (${eventsOfOrders}) e`);
  return { orders: load.acknowledged.size, paid: load.paid.size, events: count, failures: load.failures };
}

async function untilCaughtUp(deployment) {
  const endMs = performance.now() + caughtUpWithinMs;
  for (;;) {
    const [{ count }] = await deployment.query(
      `WITH events AS (${eventsOfOrders}) SELECT count(*)::int AS count FROM (${faults['unhandled events']}) f`,
    );
    if (count === 0) return;
    if (performance.now() > endMs)
      throw new Error(`${count} events are still unhandled after ${caughtUpWithinMs} ms`);
    await sleep(1_000);
  }
}

async function checkLedger(deployment, load) {
  const headers = { authorization: `Bearer ${load.sandbox.merchant.secret}` };
  const proof = await (await fetch(`${deployment.gateway}/api/ledger/proof`, { headers })).json();
  if (proof.ok !== true) throw new Error(`ledger proof failed: ${JSON.stringify(proof)}`);
}
