import type { MigrationInterface, QueryRunner } from 'typeorm';
import { migrate } from './migrate';
import { freshDatabase, type FreshDatabase } from './testing/servers';

let fresh: FreshDatabase;

beforeEach(async () => {
  fresh = await freshDatabase('migrated');
});

afterEach(() => fresh.drop());

class CreateGoods1700000000000 implements MigrationInterface {
  readonly name = 'CreateGoods1700000000000';
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE TABLE goods (id text PRIMARY KEY)');
    // Long enough for the others to arrive.
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

const both = [CreateGoods1700000000000, AddTea1700000000001];
const run = (migrations: (new () => MigrationInterface)[], url = fresh.ownerUrl) =>
  migrate({ app: 'migrated', url, migrations });
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

  it('rolls everything back after a failure, and releases its lock', async () => {
    await expect(run([...both, Broken1700000000002])).rejects.toThrow('no_such_type');
    expect(await fresh.query(`SELECT to_regclass('goods') AS goods`)).toEqual([{ goods: null }]);
    expect(await run(both)).toHaveLength(2);
  });

  it('fails under the role of the running app', async () => {
    await expect(run(both, fresh.runtimeUrl)).rejects.toThrow('permission denied');
  });
});
