import { Database, migrate } from '@tollbridge/database';
import { freshDatabase, type FreshDatabase } from '@tollbridge/testing';
import { entities } from './entities';
import { migrations } from './migrations';

// Owned by shared libraries: outbox, inbox, idempotency and prices.
const sharedTables = [
  'migrations',
  'outbox',
  'outbox_queue',
  'outbox_stream',
  'inbox',
  'dead_letters',
  'idempotency_keys',
  'token_prices',
  'price_reading',
];

let fresh: FreshDatabase;
let database: Database;
beforeAll(async () => {
  fresh = await freshDatabase('service_api');
  await migrate({ app: 'service-api', url: fresh.ownerUrl, migrations });
  database = await Database.open({ app: 'service-api', url: fresh.ownerUrl, entities, maxConnections: 2 });
}, 60_000);
afterAll(async () => {
  await database?.close();
  await fresh?.drop();
});

const namesOf = async (query: string): Promise<string[]> =>
  (await fresh.query<{ name: string }>(query)).map(({ name }) => name);

describe('Schema', () => {
  it('has an entity for every table of the app', async () => {
    const tables = await namesOf(
      "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'service_api'",
    );
    const described = database.dataSource.entityMetadatas.map(({ tableName }) => tableName);
    expect(tables.filter((name) => !sharedTables.includes(name)).sort()).toEqual(described.sort());
  });

  it('matches the entities', async () => {
    const { upQueries } = await database.dataSource.driver.createSchemaBuilder().log();
    // Checks are in the migrations only.
    const checks = await namesOf("SELECT conname AS name FROM pg_constraint WHERE contype = 'c'");
    const isCheck = (query: string) => checks.some((name) => query.endsWith(`DROP CONSTRAINT "${name}"`));
    expect(upQueries.map(({ query }) => query).filter((query) => !isCheck(query))).toEqual([]);
  });

  it('has the columns of the catalog entity, which TypeORM does not compare', async () => {
    const { columns } = database.dataSource.getMetadata('catalog_services');
    const stored = await fresh.query<{ name: string; type: string; nullable: string }>(
      `SELECT column_name AS name, data_type AS type, is_nullable AS nullable FROM information_schema.columns
       WHERE table_name = 'catalog_services'`,
    );
    const described = columns.map(({ databaseName, type }) => ({
      name: databaseName,
      type,
      nullable: 'NO',
    }));
    expect(stored).toEqual(expect.arrayContaining(described));
    expect(stored).toHaveLength(described.length);
  });
});
