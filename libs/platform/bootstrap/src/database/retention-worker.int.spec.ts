import { Module, type Type } from '@nestjs/common';
import {
  Database,
  deadLetterRetries,
  idempotencyTable,
  listOperatorActions,
  operatorActionsTable,
  outboxTables,
  retentionTables,
  storeDeadLetter,
} from '@tollbridge/database';
import { freshDatabase, ManualClock, type FreshDatabase } from '@tollbridge/testing';
import { randomBytes } from 'node:crypto';
import { Metrics } from '@tollbridge/observability';
import { RetentionModule } from './retention.module';
import { RetentionWorker } from './retention-worker';
import { retryCommand } from '../commands/run-dead-letters';
import type { RunningService } from '../service';
import { createTables, startTestService } from '../testing/test-service';

process.env['LOG_LEVEL'] = 'silent';

const app = `shop-${randomBytes(6).toString('hex')}`;

@Module({ imports: [RetentionModule] })
class ShopModule {}

let fresh: FreshDatabase;
const clock = new ManualClock();
const services: RunningService[] = [];

beforeAll(async () => {
  fresh = await freshDatabase('shop');
  await createTables(app, fresh.ownerUrl, [
    outboxTables,
    idempotencyTable,
    retentionTables,
    operatorActionsTable,
    deadLetterRetries,
  ]);
});
beforeEach(() => fresh.query('TRUNCATE outbox, outbox_queue, retention_progress'));
afterEach(async () => {
  await Promise.all(services.splice(0).map((service) => service.close()));
});
afterAll(() => fresh?.drop());

async function open(config: object = {}): Promise<RunningService> {
  const service = await startTestService({
    app,
    module: ShopModule as Type,
    natsUrl: process.env['TEST_NATS_URL']!,
    config,
    clock,
    database: { url: fresh.runtimeUrl, entities: [], maxConnections: 4 },
  });
  services.push(service);
  return service;
}

async function appendOld(count: number): Promise<void> {
  await fresh.query(
    `INSERT INTO outbox (id, subject, aggregate_id, payload, created_at)
     SELECT gen_random_uuid(), 's', 'a', '{}', $2::timestamptz FROM generate_series(1, $1)`,
    [count, new Date(clock.now() - 100 * 86_400_000)],
  );
  await fresh.query('DELETE FROM outbox_queue');
}
const rows = async () => (await fresh.query('SELECT FROM outbox')).length;
const metric = async (service: RunningService, name: string) =>
  (await service.context.get(Metrics).registry.metrics())
    .split('\n')
    .find((line) => line.startsWith(name) && line.includes('table="outbox"'));

describe('RetentionWorker', () => {
  it('prunes in batches, and counts the deleted rows', async () => {
    const service = await open();
    const worker = service.context.get(RetentionWorker);
    await appendOld(1_500);
    expect(await worker.step()).toEqual({ kind: 'more' });
    expect(await rows()).toBe(500);
    const waiting = await metric(service, 'tollbridge_retention_oldest_due_seconds');
    expect(Number(waiting?.split(' ')[1])).toBeCloseTo(10 * 86_400, -2);
    expect(await worker.step()).toEqual({ kind: 'done' });
    expect(await rows()).toBe(0);
    expect(await metric(service, 'tollbridge_retention_deleted_rows_total')).toMatch(/ 1500$/);
    expect(await metric(service, 'tollbridge_retention_oldest_due_seconds')).toMatch(/ 0$/);
  });

  it('reports no age in a replica that does not prune', async () => {
    const [one, other] = [await open(), await open()];
    await one.context.get(RetentionWorker).step();
    await other.context.get(RetentionWorker).step();
    expect(await metric(one, 'tollbridge_retention_oldest_due_seconds')).toMatch(/ 0$/);
    expect(await metric(other, 'tollbridge_retention_oldest_due_seconds')).toBeUndefined();
    expect(await metric(other, 'tollbridge_retention_deleted_rows_total')).toMatch(/ 0$/);
  });

  it('prunes the other tables when one fails, and reports for how long it has failed', async () => {
    const service = await open();
    const worker = service.context.get(RetentionWorker);
    await fresh.query(`CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      RAISE EXCEPTION 'no'; END $$`);
    await fresh.query(
      `CREATE TRIGGER fail BEFORE UPDATE ON retention_progress FOR EACH ROW WHEN (NEW.table_name = 'outbox')
       EXECUTE FUNCTION fail()`,
    );
    try {
      await worker.step();
      clock.advance(3_600_000);
      await worker.step();
      expect(await metric(service, 'tollbridge_retention_oldest_due_seconds')).toMatch(/ 3600$/);
      const progress = await fresh.query('SELECT table_name FROM retention_progress');
      expect(progress).toEqual([{ table_name: 'inbox' }]);
    } finally {
      await fresh.query('DROP FUNCTION fail CASCADE');
    }
  });

  it('prunes nothing when pruning is off, or when rows are kept for ever', async () => {
    await appendOld(5);
    for (const config of [{ RETENTION: 'off' }, { RETENTION_OUTBOX_DAYS: 0, RETENTION_INBOX_DAYS: 0 }])
      await (await open(config)).context.get(RetentionWorker).step();
    expect(await rows()).toBe(5);
  });

  it('stops the start of an app with a shorter period for the inbox than the outbox requires', async () => {
    await expect(open({ RETENTION_OUTBOX_DAYS: 100, RETENTION_INBOX_DAYS: 110 })).rejects.toThrow(
      'RETENTION_INBOX_DAYS must be',
    );
  });
});

describe('retryCommand', () => {
  it('records a retry of dead letters once, and does not record a rejected retry', async () => {
    const database = (await open()).context.get(Database);
    await storeDeadLetter(database.pool, 'c', '{}', 'why');
    const action = {
      operator: 'alice',
      caller: 'command:dead-letters',
      action: 'dead-letters-retry',
      target: 'all',
      reason: '',
      requestId: 'r',
    };
    expect(await retryCommand(database, action, ['retry', 'all'])).toContain('1 will be handled again');
    await expect(retryCommand(database, action, ['retry', 'x'])).rejects.toThrow('retry');
    expect(await listOperatorActions(database.pool, { limit: 10 })).toMatchObject([
      { operator: 'alice', outcome: 'done', after: { retried: 1 } },
    ]);
  });
});
