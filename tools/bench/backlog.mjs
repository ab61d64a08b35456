// Backlog of events: outbox rows that are not published, and pending messages of each JetStream consumer.

const pollMs = 200;

/**
 * @param admin a superuser of the database @param nats a connection of the operator for events
 * @returns a function that reads the backlog: the number of waiting events by outbox and consumer
 */
export async function backlogReader(admin, nats) {
  const queues = await schemasWith(admin, 'outbox_queue');
  const counts = queues.map(
    (schema) => `SELECT '${schema}' AS schema, count(*)::int AS waiting FROM ${schema}.outbox_queue`,
  );
  const manager = await nats.jetstreamManager();
  return async () => {
    const { rows } = await admin.query(counts.join(' UNION ALL '));
    const backlog = Object.fromEntries(rows.map(({ schema, waiting }) => [`outbox ${schema}`, waiting]));
    for await (const { config } of manager.streams.list())
      for await (const consumer of manager.consumers.list(config.name))
        backlog[`consumer ${consumer.name}`] = consumer.num_pending + consumer.num_ack_pending;
    return backlog;
  };
}

/** Counts the dead-lettered events of all apps. */
export async function countDeadLetters(admin) {
  const tables = await schemasWith(admin, 'dead_letters');
  const counts = tables.map((schema) => `SELECT count(*) AS dead FROM ${schema}.dead_letters`);
  const { rows } = await admin.query(
    `SELECT sum(dead)::int AS dead FROM (${counts.join(' UNION ALL ')}) AS counted`,
  );
  return rows[0].dead;
}

async function schemasWith(admin, table) {
  const { rows } = await admin.query('SELECT schemaname FROM pg_tables WHERE tablename = $1 ORDER BY 1', [
    table,
  ]);
  return rows.map(({ schemaname }) => schemaname);
}

export const waitingIn = (backlog) => Object.values(backlog).reduce((sum, waiting) => sum + waiting, 0);

/**
 * Reads the backlog until it is empty, or for `timeoutSeconds`.
 * @returns `atEnd` and `left`, the first and the last backlog; `seconds` until the backlog was empty, or null
 */
export async function untilCaughtUp(read, timeoutSeconds, clock = realClock) {
  const startedMs = clock.nowMs();
  const atEnd = await read();
  let left = atEnd;
  for (;;) {
    const seconds = (clock.nowMs() - startedMs) / 1000;
    if (waitingIn(left) === 0) return { atEnd, left, seconds };
    if (seconds >= timeoutSeconds) return { atEnd, left, seconds: null };
    await clock.sleep(pollMs);
    left = await read();
  }
}

const realClock = {
  nowMs: () => performance.now(),
  sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
};
