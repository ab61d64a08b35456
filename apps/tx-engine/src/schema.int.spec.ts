import { migrate } from '@tollbridge/database';
import { freshDatabase, type FreshDatabase } from '@tollbridge/testing';
import { DataSource } from 'typeorm';
import { entities } from './entities';
import { migrations } from './migrations';

let database: FreshDatabase;
let dataSource: DataSource;

beforeAll(async () => {
  database = await freshDatabase('tx_engine');
  await migrate({ app: 'tx-engine', url: database.ownerUrl, migrations });
  dataSource = await new DataSource({ type: 'postgres', url: database.ownerUrl, entities }).initialize();
});
afterAll(async () => {
  await dataSource?.destroy();
  await database?.drop();
});

describe('entities of tx-engine', () => {
  it('match the migrated schema exactly', async () => {
    const { upQueries } = await dataSource.driver.createSchemaBuilder().log();
    expect(upQueries.map(({ query }) => query)).toEqual([]);
  });

  it('cover every table except those of the platform', async () => {
    const platform = [
      'dead_letters',
      'idempotency_keys',
      'inbox',
      'migrations',
      'outbox',
      'outbox_queue',
      'outbox_stream',
    ];
    const rows: { name: string }[] = await dataSource.query(
      'SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema() ORDER BY 1',
    );
    const described = dataSource.entityMetadatas.map(({ tableName }) => tableName);
    expect(rows.map(({ name }) => name).filter((name) => !platform.includes(name))).toEqual(described.sort());
  });
});
