import { migrate } from '@tollbridge/database';
import { freshDatabase, type FreshDatabase } from '@tollbridge/testing';
import { DataSource } from 'typeorm';
import { entities } from './entities';
import { migrations } from './migrations';

// Tables of libs/platform/database: outbox, inbox, dead letters, idempotency; and the table of the migrations.
const platformTables = [
  'dead_letters',
  'idempotency_keys',
  'inbox',
  'migrations',
  'outbox',
  'outbox_queue',
  'outbox_stream',
];

let database: FreshDatabase;
let dataSource: DataSource;

beforeAll(async () => {
  database = await freshDatabase('tee');
  await migrate({ app: 'tee', url: database.ownerUrl, migrations });
  dataSource = new DataSource({
    type: 'postgres',
    url: database.ownerUrl,
    entities,
    installExtensions: false,
  });
  await dataSource.initialize();
}, 60_000);
afterAll(async () => {
  await dataSource?.destroy();
  await database?.drop();
}, 60_000);

describe('entities', () => {
  it('match the migrated schema', async () => {
    const { upQueries } = await dataSource.driver.createSchemaBuilder().log();
    expect(upQueries.map(({ query }) => query)).toEqual([]);
  });

  it('exist for every table of the app', async () => {
    const tables = await database.query<{ relname: string }>(
      `SELECT relname FROM pg_class WHERE relnamespace = 'tee'::regnamespace AND relkind IN ('r', 'p')
         AND NOT relispartition`,
    );
    const described = dataSource.entityMetadatas.map(({ tableName }) => tableName);
    expect(tables.map(({ relname }) => relname).sort()).toEqual([...described, ...platformTables].sort());
  });
});
