import { Pool } from 'pg';
import { type Database } from '@tollbridge/database';
import type { Logger } from '@tollbridge/observability';
import type { OutboxWorker } from '@tollbridge/bootstrap';
import type { PaymentsCommitted } from '@tollbridge/contracts';
import { eventually, ManualClock, type FreshDatabase } from '@tollbridge/testing';
import type { LedgerWriter } from '../ledger/storage/ledger-writer';
import { PaymentEvents } from './payment-events';
import { PaymentEventsRepository } from './payment-events.repository';
import { migratedDatabase } from '../testing/migrated-database';

const [seller, otherSeller] = ['22', '33'].map((byte) => byte.repeat(32)) as [string, string];
// Longer than the interval between polls.
const somePollsMs = 400;

let database: FreshDatabase;
let pool: Pool;
let clock: ManualClock;
let running: PaymentEvents[];
let warnings: unknown[];
/** End of the receipt chain of the ledger that all instances read. */
let position: { seq: bigint; head: Buffer };

beforeAll(async () => {
  database = await migratedDatabase();
  const today = Math.floor(Date.now() / 86_400_000);
  await database.query('SELECT tee.ensure_payment_days($1, 4)', [today - 1]);
});
afterAll(() => database?.drop());

beforeEach(async () => {
  [clock, running, warnings] = [new ManualClock(), [], []];
  committed.splice(0);
  position = { seq: 0n, head: Buffer.alloc(32) };
  pool = new Pool({ connectionString: database.runtimeUrl });
  for (const table of ['payments', 'refunds', 'outbox', 'outbox_queue'])
    await database.query(`DELETE FROM tee.${table}`);
  await database.query('UPDATE tee.ledger SET seq = 0');
  await database.query('UPDATE tee.told SET seq = 0, at_ms = $1', [clock.now()]);
});
afterEach(async () => {
  await stopAll();
  await pool.end();
});

/** The callbacks that the writer of each instance calls after a commit. */
const committed: (() => void)[] = [];

/** Starts an instance with its own connection to the database. */
function start(from: Pool = pool): PaymentEvents {
  const writer = {
    isReady: true,
    whenCommitted: (work: () => void) => void committed.push(work),
    get position() {
      return position;
    },
  } as LedgerWriter;
  const outbox = { wake: () => undefined } as OutboxWorker;
  const logger = { warn: ({ err }: { err: unknown }) => void warnings.push(err) } as unknown as Logger;
  const events = new PaymentEvents(
    new PaymentEventsRepository({ pool: from } as Database),
    writer,
    outbox,
    clock,
    logger,
  );
  events.onApplicationBootstrap();
  running.push(events);
  return events;
}

const stopAll = (): Promise<unknown> =>
  Promise.all(running.splice(0).map((events) => events.onApplicationShutdown()));

const headExpression = (seq: string): string => `sha256(('head ' || ${seq})::bytea)`;

async function headAfter(seq: bigint | string): Promise<string> {
  const [row] = await database.query<{ head: string }>(
    `SELECT encode(${headExpression('$1::text')}, 'hex') AS head`,
    [String(seq)],
  );
  return row!.head;
}

/** Advances the ledger to this receipt, as a commit does. */
async function reach(seq: number): Promise<void> {
  await database.query(`UPDATE tee.ledger SET seq = $1, head = ${headExpression('$1::bigint::text')}`, [seq]);
  position = { seq: BigInt(seq), head: Buffer.alloc(32) };
  for (const wake of committed) wake();
}

/** Commits this number of charges of 10 each, with the next receipts. */
async function commit(count: number, to = seller): Promise<void> {
  const first = Number(position.seq) + 1;
  const nowS = Math.floor(clock.now() / 1000);
  await database.query(
    `INSERT INTO tee.payments (payer, nonce, valid_before, valid_after, confirmation_id, digest, seller, resource_hash,
       signature, call_key, flags, state, amount, charged, hold_until, seq, charged_ms, previous_head)
     SELECT '\\x11', sha256(n::text::bytea), $3::bigint + 60, $3, gen_random_uuid(), '\\x', decode($4, 'hex'), '\\x', '\\x',
       '\\x', 1, 'captured', 10, 10, 0, n, $3::bigint * 1000, ${headExpression('(n - 1)::text')}
     FROM generate_series($1::bigint, $2::bigint) AS n`,
    [first, first + count - 1, nowS, to],
  );
  await reach(first + count - 1);
}

/** Commits a refund of the payment with this receipt. */
async function refund(seq: number): Promise<void> {
  const next = Number(position.seq) + 1;
  await database.query(
    `WITH voided AS (UPDATE tee.payments SET state = 'voided' WHERE seq = $1 RETURNING confirmation_id)
     INSERT INTO tee.refunds (confirmation_id, seq, refunded_ms, previous_head, amount)
     SELECT confirmation_id, $2, 0, ${headExpression('($2::bigint - 1)::text')}, 10 FROM voided`,
    [seq, next],
  );
  await reach(next);
}

async function published(): Promise<PaymentsCommitted[]> {
  const rows = await database.query<{ payload: { data: PaymentsCommitted } }>(
    'SELECT payload FROM tee.outbox ORDER BY seq',
  );
  return rows.map(({ payload }) => payload.data);
}

const ranges = (events: readonly PaymentsCommitted[]): (string | number)[][] =>
  events.map(({ first_seq, last_seq, payment_count }) => [first_seq, last_seq, payment_count]);
const publishedUpTo = (seq: number): Promise<void> =>
  eventually(async () => {
    const [row] = await database.query<{ seq: string }>('SELECT seq FROM tee.told');
    expect(row!.seq).toBe(String(seq));
  });
const somePolls = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, somePollsMs));

it('publishes one event for many commits, with the sum of each seller and the head of the receipt chain', async () => {
  await commit(2);
  await commit(1, otherSeller);
  await commit(1);
  start();
  await publishedUpTo(4);
  const [event, ...others] = await published();
  expect(others).toEqual([]);
  expect(event).toEqual({
    first_seq: '1',
    last_seq: '4',
    head: await headAfter(4n),
    payment_count: 4,
    sellers: expect.arrayContaining([
      { to: `0:${seller}`, payment_count: 3, amount: '30' },
      { to: `0:${otherSeller}`, payment_count: 1, amount: '10' },
    ]),
    committed_at: new Date(clock.now()).toISOString(),
  });
  expect(event!.sellers).toHaveLength(2);
  await commit(3);
  await publishedUpTo(7);
  expect(ranges((await published()).slice(1))).toEqual([['5', '7', 3]]);
});

it('splits a large range into several events, each with the head after its last payment', async () => {
  await commit(12_001);
  start();
  await publishedUpTo(12_001);
  const events = await published();
  expect(ranges(events)).toEqual([
    ['1', '5000', 5_000],
    ['5001', '10000', 5_000],
    ['10001', '12001', 2_001],
  ]);
  for (const { head, last_seq } of events) expect(head).toBe(await headAfter(last_seq));
});

it('publishes nothing and sends no query without payments', async () => {
  const connect = jest.spyOn(pool, 'connect');
  start();
  await somePolls();
  expect(await published()).toEqual([]);
  expect(connect).toHaveBeenCalledTimes(1);
  await commit(1);
  await publishedUpTo(1);
  await somePolls();
  expect(ranges(await published())).toEqual([['1', '1', 1]]);
});

it('omits payments that were refunded before publication, and reports the head after the last remaining one', async () => {
  await commit(4);
  await refund(4);
  await refund(1);
  await commit(2);
  await refund(8);
  start();
  await publishedUpTo(9);
  const [event, ...others] = await published();
  expect(others).toEqual([]);
  expect(ranges([event!])).toEqual([['2', '7', 3]]);
  expect(event!.head).toBe(await headAfter('7'));
  // Receipts of refunds alone cause no event.
  await refund(7);
  await publishedUpTo(10);
  await commit(1);
  await publishedUpTo(11);
  expect(ranges((await published()).slice(1))).toEqual([['11', '11', 1]]);
});

it('reports the head after the last payment when a page ends between refunds', async () => {
  await commit(4_998);
  for (const seq of [1, 2, 3]) await refund(seq);
  await commit(10);
  start();
  await publishedUpTo(5_011);
  const events = await published();
  expect(ranges(events)).toEqual([
    ['4', '4998', 4_995],
    ['5002', '5011', 10],
  ]);
  for (const { head, last_seq } of events) expect(head).toBe(await headAfter(last_seq));
});

it('publishes every payment exactly once across a restart between commits', async () => {
  start();
  await commit(3);
  await publishedUpTo(3);
  await stopAll();
  await commit(2);
  await somePolls();
  expect(ranges(await published())).toEqual([['1', '3', 3]]);
  clock.advance(7 * 86_400_000);
  start();
  await publishedUpTo(5);
  expect(ranges(await published())).toEqual([
    ['1', '3', 3],
    ['4', '5', 2],
  ]);
});

it('publishes every payment once when two instances run', async () => {
  const second = new Pool({ connectionString: database.runtimeUrl });
  try {
    [pool, second, pool, second].forEach((each) => start(each));
    for (let times = 0; times < 30; times++) {
      await commit(7);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    await publishedUpTo(210);
    await stopAll();
    const events = await published();
    expect(events.reduce((count, { payment_count }) => count + payment_count, 0)).toBe(210);
    const firsts = events.map(({ first_seq }) => Number(first_seq));
    expect(firsts).toEqual([1, ...events.slice(0, -1).map(({ last_seq }) => Number(last_seq) + 1)]);
  } finally {
    await stopAll();
    await second.end();
  }
});

it('retries after a database error, and publishes uncommitted payments once', async () => {
  // Fails after the event was written, so that event and position are rolled back.
  await database.query('ALTER TABLE tee.told ADD CONSTRAINT broken CHECK (seq < 2)');
  try {
    await commit(2);
    start();
    await eventually(() => expect(warnings.length).toBeGreaterThanOrEqual(2));
    expect(await published()).toEqual([]);
  } finally {
    await database.query('ALTER TABLE tee.told DROP CONSTRAINT broken');
  }
  await publishedUpTo(2);
  expect(ranges(await published())).toEqual([['1', '2', 2]]);
});
