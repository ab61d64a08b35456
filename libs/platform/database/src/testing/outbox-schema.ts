import type { MigrationInterface, QueryRunner } from 'typeorm';
import { Database } from '../database';
import { dropIdempotencyTable, idempotencyTable } from '../idempotency/idempotency';
import { dropLeasesTable, leasesTable } from '../leases/leases';
import { migrate } from '../schema/migrate';
import { dropOutboxTables, outboxTables } from '../outbox/outbox';
import { freshDatabase, type FreshDatabase } from './servers';

/** A schema with an outbox, idempotency keys and an app table, as in every service. */
export class OutboxSchema1700000000000 implements MigrationInterface {
  readonly name = 'OutboxSchema1700000000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE TABLE goods (id text PRIMARY KEY, version integer NOT NULL DEFAULT 0)');
    await runner.query(outboxTables);
    await runner.query(idempotencyTable);
    await runner.query(leasesTable);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(dropLeasesTable);
    await runner.query(dropIdempotencyTable);
    await runner.query(dropOutboxTables);
    await runner.query('DROP TABLE goods');
  }
}

export interface OutboxDatabase {
  fresh: FreshDatabase;
  database: Database;
  close(): Promise<void>;
}

/** Opens a database with this schema, with the privileges of the running app. */
export async function openOutboxDatabase(maxConnections = 10): Promise<OutboxDatabase> {
  const fresh = await freshDatabase('shop');
  await migrate({ app: 'shop', url: fresh.ownerUrl, migrations: [OutboxSchema1700000000000] });
  const database = await Database.open({ app: 'shop', url: fresh.runtimeUrl, entities: [], maxConnections });
  return {
    fresh,
    database,
    async close() {
      await database.close();
      await fresh.drop();
    },
  };
}
