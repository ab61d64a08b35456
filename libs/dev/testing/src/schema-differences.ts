import type { DataSource, EntityTarget, MigrationInterface, ObjectLiteral } from 'typeorm';
import { freshDatabase } from './fresh-database';

export interface DescribedSchema {
  /** The schema of the tested app, such as `pay_orders`. */
  schema: string;
  migrations: (new () => MigrationInterface)[];
  /** The entities of every table of the schema. */
  entities: EntityTarget<ObjectLiteral>[];
}

// TypeORM reads the expressions of generated columns from this table. Only its own schema synchronisation fills the
// table.
const metadataTable = `
  CREATE TABLE IF NOT EXISTS typeorm_metadata (type text, database text, schema text, "table" text, name text, value text);
  INSERT INTO typeorm_metadata (type, database, schema, "table", name, value)
    SELECT 'GENERATED_COLUMN', table_catalog, table_schema, table_name, column_name,
      trim(regexp_replace(generation_expression, '\\s+', ' ', 'g'))
    FROM information_schema.columns WHERE table_schema = current_schema AND is_generated = 'ALWAYS'`;

const tableNames = `
  SELECT relname AS name FROM pg_class
  WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
    AND relname NOT IN ('migrations', 'typeorm_metadata')
  ORDER BY relname`;

// `updated_at` and `created_at` may come from different clocks: see orderTimes of libs/platform/database.
const unorderedTimes = `
  SELECT c.relname AS name FROM pg_class c
  WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
    AND 2 = (SELECT count(*) FROM pg_attribute WHERE attrelid = c.oid AND attname IN ('created_at', 'updated_at')
      AND NOT attisdropped)
    AND NOT EXISTS (SELECT FROM pg_constraint WHERE conrelid = c.oid
      AND pg_get_constraintdef(oid) LIKE 'CHECK ((updated_at >= created_at))%')
  ORDER BY c.relname`;

/**
 * Migrates a fresh database and compares it with entities.
 * @returns tables without an entity, tables that allow `updated_at` before `created_at`, and TypeORM's statements to
 * change the schema; empty if the entities match the schema
 */
export async function schemaDifferences({
  schema,
  migrations,
  entities,
}: DescribedSchema): Promise<string[]> {
  const database = await freshDatabase(schema);
  let dataSource: DataSource | undefined;
  try {
    // Imported here, so that other tests do not load TypeORM.
    const { DataSource } = await import('typeorm');
    dataSource = new DataSource({
      type: 'postgres',
      url: database.ownerUrl,
      migrations,
      entities: entities as never,
      installExtensions: false,
    });
    await dataSource.initialize();
    await dataSource.runMigrations({ transaction: 'each' });
    await dataSource.query(metadataTable);
    const { upQueries } = await dataSource.driver.createSchemaBuilder().log();
    const tables: { name: string }[] = await dataSource.query(tableNames);
    const unordered: { name: string }[] = await dataSource.query(unorderedTimes);
    const described = new Set(dataSource.entityMetadatas.map(({ tableName }) => tableName));
    return [
      ...tables.filter(({ name }) => !described.has(name)).map(({ name }) => `No entity for table ${name}`),
      ...unordered.map(({ name }) => `Table ${name} admits updated_at before created_at`),
      ...upQueries.map(({ query }) => query),
    ];
  } finally {
    await dataSource?.destroy();
    await database.drop();
  }
}
