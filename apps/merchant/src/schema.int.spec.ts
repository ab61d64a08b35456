import { migrate } from '@tollbridge/database';
import { freshDatabase } from '@tollbridge/testing';
import { DataSource, getMetadataArgsStorage } from 'typeorm';
import { entities } from './entities';
import { migrations } from './migrations';

// TypeORM reads the expressions of generated columns from a table that only its own schema synchronisation writes.
const metadataTable = `
  CREATE TABLE typeorm_metadata (type text, database text, schema text, "table" text, name text, value text);
  INSERT INTO typeorm_metadata
    SELECT 'GENERATED_COLUMN', table_catalog, table_schema, table_name, column_name,
      trim(regexp_replace(generation_expression, '\\s+', ' ', 'g'))
    FROM information_schema.columns WHERE table_schema = current_schema AND is_generated = 'ALWAYS'`;

describe('the entities of merchant', () => {
  it('match the migrated tables', async () => {
    const database = await freshDatabase('merchant');
    const dataSource = new DataSource({
      type: 'postgres',
      url: database.ownerUrl,
      entities,
      installExtensions: false,
    });
    try {
      await migrate({ app: 'merchant', url: database.ownerUrl, migrations });
      await database.query(metadataTable);
      await dataSource.initialize();
      const { upQueries } = await dataSource.driver.createSchemaBuilder().log();
      expect(upQueries.map(({ query }) => query)).toEqual([]);
    } finally {
      await dataSource.destroy();
      await database.drop();
    }
  });

  it('cover every table except those of shared libraries', async () => {
    const database = await freshDatabase('merchant');
    try {
      await migrate({ app: 'merchant', url: database.ownerUrl, migrations });
      const tables = await database.query<{ name: string }>(
        `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'merchant' ORDER BY name`,
      );
      const described = new Set(
        getMetadataArgsStorage()
          .tables.filter(({ target }) => (entities as unknown[]).includes(target))
          .map(({ name }) => name),
      );
      const shared = [
        'dead_letters',
        'idempotency_keys',
        'inbox',
        'migrations',
        'outbox',
        'outbox_queue',
        'outbox_stream',
        'price_reading',
        'token_prices',
      ];
      expect(tables.map(({ name }) => name).filter((name) => !described.has(name))).toEqual(shared);
    } finally {
      await database.drop();
    }
  });
});
