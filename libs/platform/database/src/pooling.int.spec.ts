import { Database, transaction, type Pooling } from './database';
import { freshDatabase, startPgBouncer, type FreshDatabase, type PgBouncer } from './testing/servers';

const clients = 8;
let fresh: FreshDatabase;
let bouncer: PgBouncer;

beforeAll(async () => {
  fresh = await freshDatabase('pooled');
  // Fewer server connections than clients, so that each transaction of a client gets a different one.
  bouncer = await startPgBouncer(fresh.runtimeUrl, 3);
});
afterAll(async () => {
  await bouncer.remove();
  await fresh.drop();
});

/** Executes one named statement in many concurrent transactions, several times. @returns the sum of the results */
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
  it('executes named statements with transaction pooling', async () => {
    expect(await executeNamed('transaction')).toBe(10 * clients);
  });

  it('fails with session pooling, because PgBouncer before 1.21 does not support named statements', async () => {
    await expect(executeNamed('session')).rejects.toThrow(/prepared statement "named"/);
  });

  it('rejects session settings with transaction pooling', async () => {
    const options = { app: 'pooled', url: bouncer.url, entities: [], maxConnections: 1 };
    await expect(
      Database.open({ ...options, pooling: 'transaction', usesGenericPlans: true }),
    ).rejects.toThrow('settings of a session need pooling by session');
  });
});
