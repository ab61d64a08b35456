import { Database, transaction, type Pooling } from './database';
import { freshDatabase, startPgBouncer, type FreshDatabase, type PgBouncer } from './testing/servers';

const clients = 8;
let fresh: FreshDatabase;
let bouncer: PgBouncer;

beforeAll(async () => {
  fresh = await freshDatabase('pooled');
  // Fewer connections than clients: a client gets another one for each transaction.
  bouncer = await startPgBouncer(fresh.runtimeUrl, 3);
});
afterAll(async () => {
  await bouncer.remove();
  await fresh.drop();
});

/** Executes one named statement in many transactions at once, several times. @returns the sum of its results */
async function executeNamed(pooling: Pooling): Promise<number> {
  const database = await Database.open({
    app: 'pooled',
    url: bouncer.url,
    entities: [],
    maxConnections: clients,
    pooling,
  });
  try {
    let sum = 0;
    for (let round = 0; round < 10; round++)
      await Promise.all(
        Array.from({ length: clients }, () =>
          transaction(database.pool, async (client) => {
            const { rows } = await client.query<{ one: number }>({
              name: 'named',
              text: 'SELECT $1::int AS one FROM pg_sleep(random() * 0.01)',
              values: [1],
            });
            sum += rows[0]!.one;
          }),
        ),
      );
    return sum;
  } finally {
    await database.close();
  }
}

describe('Database behind PgBouncer in transaction mode', () => {
  it('executes named statements with pooling by transaction', async () => {
    expect(await executeNamed('transaction')).toBe(10 * clients);
  });

  it('fails with pooling by session, because PgBouncer before 1.21 knows no named statements', async () => {
    await expect(executeNamed('session')).rejects.toThrow(/prepared statement "named"/);
  });

  it('rejects settings of a session with pooling by transaction', async () => {
    const options = { app: 'pooled', url: bouncer.url, entities: [], maxConnections: 1 };
    await expect(
      Database.open({ ...options, pooling: 'transaction', usesGenericPlans: true }),
    ).rejects.toThrow('settings of a session need pooling by session');
  });
});
