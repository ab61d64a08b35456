import type { MigrationInterface, QueryRunner } from 'typeorm';
import { freshDatabase } from './fresh-database';
import { baseline, validateMigration, type Catalog } from './migration-rules';

export interface MigratedSchema {
  /** The schema of the tested app, such as `pay_orders`. */
  schema: string;
  migrations: (new () => MigrationInterface & { contract?: { unusedSince: number } })[];
  /** The release of the code. */
  release: number;
}

const columnsQuery = `
  SELECT c.relname AS table, c.relname || '.' || a.attname AS name, format_type(a.atttypid, a.atttypmod) AS type,
    NOT a.attnotnull AS nullable, a.atthasdef OR a.attidentity <> '' AS has_default
  FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
  WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p', 'v', 'm')`;
const constraintsQuery = `
  SELECT c.relname || '.' || conname AS name, contype AS kind, convalidated AS validated
  FROM pg_constraint JOIN pg_class c ON c.oid = conrelid WHERE connamespace = current_schema()::regnamespace`;
const indexesQuery = `
  SELECT x.relname AS name, t.relname AS table
  FROM pg_index JOIN pg_class x ON x.oid = indexrelid JOIN pg_class t ON t.oid = indrelid
  WHERE x.relnamespace = current_schema()::regnamespace`;
const othersQuery = `
  SELECT 'function ' || oid::regprocedure AS name FROM pg_proc WHERE pronamespace = current_schema()::regnamespace
  UNION ALL SELECT 'sequence ' || relname FROM pg_class
  WHERE relnamespace = current_schema()::regnamespace AND relkind = 'S'
  UNION ALL SELECT 'trigger ' || c.relname || '.' || tgname FROM pg_trigger JOIN pg_class c ON c.oid = tgrelid
  WHERE NOT tgisinternal AND c.relnamespace = current_schema()::regnamespace
  UNION ALL SELECT 'enum value ' || typname || '.' || enumlabel FROM pg_enum JOIN pg_type t ON t.oid = enumtypid
  WHERE typnamespace = current_schema()::regnamespace`;

/**
 * Runs the migrations in a fresh database and compares the schema before and after each one above the baseline.
 * @returns the changes that are unsafe while the apps of the previous release run; empty if the migrations only expand
 * the schema
 */
export async function unsafeMigrations({ schema, migrations, release }: MigratedSchema): Promise<string[]> {
  const database = await freshDatabase(schema);
  const { DataSource } = await import('typeorm');
  const dataSource = new DataSource({
    type: 'postgres',
    url: database.ownerUrl,
    migrations,
    installExtensions: false,
  });
  const problems: string[] = [];
  try {
    await dataSource.initialize();
    for (const migration of dataSource.migrations as InstanceType<MigratedSchema['migrations'][number]>[]) {
      const name = migration.name ?? migration.constructor.name;
      const up = migration.up.bind(migration);
      if (Number(name.slice(-13)) > baseline)
        migration.up = async (runner) => {
          const before = await readCatalog(runner);
          const queries: string[] = [];
          await up(recording(runner, queries));
          const after = await readCatalog(runner);
          const step = { before, after, queries, contract: migration.contract, release };
          problems.push(...validateMigration(step).map((problem) => `${name} ${problem}`));
        };
    }
    await dataSource.runMigrations({ transaction: 'each' });
    return problems;
  } finally {
    if (dataSource.isInitialized) await dataSource.destroy();
    await database.drop();
  }
}

function recording(runner: QueryRunner, queries: string[]): QueryRunner {
  const query = (text: string, ...rest: never[]) => {
    queries.push(text);
    return runner.query(text, ...rest);
  };
  return new Proxy(runner, {
    get: (target, key) => (key === 'query' ? query : Reflect.get(target, key, target)),
  });
}

async function readCatalog(runner: QueryRunner): Promise<Catalog> {
  const columns: { table: string; name: string; type: string; nullable: boolean; has_default: boolean }[] =
    await runner.query(columnsQuery);
  const constraints: { name: string; kind: string; validated: boolean }[] =
    await runner.query(constraintsQuery);
  const indexes: { name: string; table: string }[] = await runner.query(indexesQuery);
  const others: { name: string }[] = await runner.query(othersQuery);
  return {
    tables: new Set(columns.map(({ table }) => table)),
    columns: new Map(
      columns.map(({ name, type, nullable, has_default }) => [
        name,
        { type, isNullable: nullable, hasDefault: has_default },
      ]),
    ),
    constraints: new Map(
      constraints.map(({ name, kind, validated }) => [name, { kind, isValidated: validated }]),
    ),
    indexes: new Map(indexes.map(({ name, table }) => [name, table])),
    others: new Set(others.map(({ name }) => name)),
  };
}
