import { Client } from 'pg';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndexConcurrently, migrate, type MigrateOptions } from './migrate';
import { schemaRelease } from './schema-release';
import { freshDatabase, type FreshDatabase } from '../testing/servers';

let fresh: FreshDatabase;

beforeEach(async () => {
  fresh = await freshDatabase('migrated');
});

afterEach(() => fresh.drop());

class CreateGoods1700000000000 implements MigrationInterface {
  readonly name = 'CreateGoods1700000000000';
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE TABLE goods (id text PRIMARY KEY)');
    // The pause lets the other jobs arrive.
    await runner.query('SELECT pg_sleep(0.2)');
  }
  async down(): Promise<void> {}
}

class AddTea1700000000001 implements MigrationInterface {
  readonly name = 'AddTea1700000000001';
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`INSERT INTO goods VALUES ('tea')`);
  }
  async down(): Promise<void> {}
}

class Broken1700000000002 implements MigrationInterface {
  readonly name = 'Broken1700000000002';
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`INSERT INTO goods VALUES ('half')`);
    await runner.query('CREATE TABLE nonsense (id no_such_type)');
  }
  async down(): Promise<void> {}
}

class AddTitle1700000000003 implements MigrationInterface {
  readonly name = 'AddTitle1700000000003';
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE goods ADD COLUMN title text');
  }
  async down(): Promise<void> {}
}

class IndexGoods1700000000004 implements MigrationInterface {
  readonly name = 'IndexGoods1700000000004';
  readonly transaction = false;
  async up(runner: QueryRunner): Promise<void> {
    await createIndexConcurrently(runner, 'goods_unique', 'goods ((1))', { isUnique: true });
  }
  async down(): Promise<void> {}
}

/** Leaves an invalid index, and completes without an error. */
class LeaveInvalid1700000000005 implements MigrationInterface {
  readonly name = 'LeaveInvalid1700000000005';
  readonly transaction = false;
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE UNIQUE INDEX CONCURRENTLY goods_unique ON goods ((1))').catch(() => undefined);
  }
  async down(): Promise<void> {}
}

const both = [CreateGoods1700000000000, AddTea1700000000001];
const options = (migrations: MigrateOptions['migrations'], url = fresh.ownerUrl): MigrateOptions => ({
  app: 'migrated',
  url,
  migrations,
});
const run = (...args: Parameters<typeof options>) => migrate(options(...args));
const goods = () => fresh.query('SELECT id FROM goods');

describe('migrate', () => {
  it('runs the pending migrations and returns their names', async () => {
    expect(await run([CreateGoods1700000000000])).toEqual(['CreateGoods1700000000000']);
    expect(await run(both)).toEqual(['AddTea1700000000001']);
    expect(await run(both)).toEqual([]);
    expect(await goods()).toEqual([{ id: 'tea' }]);
  });

  it('runs each migration once when several jobs run at the same time', async () => {
    const done = await Promise.all(Array.from({ length: 4 }, () => run(both)));
    expect(done.flat().sort()).toEqual(['AddTea1700000000001', 'CreateGoods1700000000000']);
    expect(await goods()).toEqual([{ id: 'tea' }]);
  });

  it('rolls back the migration that fails, keeps the earlier ones, and releases its lock', async () => {
    await expect(run([...both, Broken1700000000002])).rejects.toThrow('no_such_type');
    expect(await goods()).toEqual([{ id: 'tea' }]);
    expect(await run(both)).toEqual([]);
    expect(await run([...both, AddTitle1700000000003])).toEqual(['AddTitle1700000000003']);
  });

  it('reports its progress', async () => {
    const lines: string[] = [];
    await migrate({ ...options(both), onProgress: (line) => lines.push(line) });
    expect(lines.map((line) => line.replace(/[\d.]+ s$/, 'S s'))).toEqual([
      'CreateGoods1700000000000 begins',
      'CreateGoods1700000000000 took S s',
      'AddTea1700000000001 begins',
      'AddTea1700000000001 took S s',
    ]);
  });

  it('records the release of the schema, and never lowers it', async () => {
    await run(both);
    expect(await fresh.query('SELECT release FROM schema_release')).toEqual([{ release: schemaRelease }]);
    await fresh.query('UPDATE schema_release SET release = 99');
    await run(both);
    expect(await fresh.query('SELECT release FROM schema_release')).toEqual([{ release: 99 }]);
  });

  it('fails with the role of the running app', async () => {
    await expect(run(both, fresh.runtimeUrl)).rejects.toThrow('permission denied');
  });
});

describe('migrate, while the app holds a lock', () => {
  let app: Client;

  beforeEach(async () => {
    await run(both);
    app = new Client({ connectionString: fresh.runtimeUrl });
    await app.connect();
    await app.query('BEGIN');
    await app.query('SELECT FROM goods');
  });
  afterEach(() => app.end());

  it('fails a statement after the lock timeout, and retries until the lock is free', async () => {
    const lines: string[] = [];
    const onProgress = (line: string): void => {
      lines.push(line);
      if (line.startsWith('a lock is not free')) void app.query('COMMIT');
    };
    const migrations = [...both, AddTitle1700000000003];
    const done = await migrate({ ...options(migrations), lockTimeoutMs: 100, onProgress });
    expect(done).toEqual(['AddTitle1700000000003']);
    expect(lines).toContain('a lock is not free, attempt 2 of 10 in 1 s');
  });

  it('blocks statements of the app no longer than the lock timeout', async () => {
    const migrating = migrate({
      ...options([...both, AddTitle1700000000003]),
      lockTimeoutMs: 200,
      attempts: 1,
    });
    const rejected = expect(migrating).rejects.toThrow('lock timeout');
    const reader = new Client({ connectionString: fresh.runtimeUrl });
    await reader.connect();
    let longestMs = 0;
    const untilMs = performance.now() + 800;
    while (performance.now() < untilMs) {
      const startMs = performance.now();
      await reader.query('SELECT FROM goods');
      longestMs = Math.max(longestMs, performance.now() - startMs);
    }
    await rejected;
    await reader.end();
    // 200 ms, plus the delay of a slow machine. The default time-out is three seconds.
    expect(longestMs).toBeLessThan(2_600);
  });
});

describe('migrate with an index that is built concurrently', () => {
  it('builds the index outside of a transaction', async () => {
    expect(await run([...both, IndexGoods1700000000004])).toContain('IndexGoods1700000000004');
    expect(await validIndexes()).toEqual([{ valid: true }]);
  });

  it('drops the invalid index of a failed build before the next attempt', async () => {
    await run(both);
    await fresh.query(`INSERT INTO goods VALUES ('coffee')`);
    await expect(run([...both, IndexGoods1700000000004])).rejects.toThrow('could not create unique index');
    expect(await validIndexes()).toEqual([{ valid: false }]);
    await fresh.query(`DELETE FROM goods WHERE id = 'coffee'`);
    expect(await run([...both, IndexGoods1700000000004])).toEqual(['IndexGoods1700000000004']);
    expect(await validIndexes()).toEqual([{ valid: true }]);
  });

  it('fails on an invalid index, with the statement that repairs it', async () => {
    await run(both);
    await fresh.query(`INSERT INTO goods VALUES ('coffee')`);
    await expect(run([...both, LeaveInvalid1700000000005])).rejects.toThrow(
      'goods_unique. Rebuild each: REINDEX INDEX CONCURRENTLY goods_unique',
    );
  });

  const validIndexes = () =>
    fresh.query(`SELECT indisvalid AS valid FROM pg_index WHERE indexrelid = 'goods_unique'::regclass`);
});
