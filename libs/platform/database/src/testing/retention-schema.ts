import { Column, Entity, PrimaryColumn, type MigrationInterface, type QueryRunner } from 'typeorm';
import { Database } from '../database';
import { databaseEntities } from '../schema/database-entities';
import { migrate } from '../schema/migrate';
import { dropOperatorActionsTable, operatorActionsTable } from '../operator-actions';
import { PersonalData } from '../retention/personal-data';
import { keep, Retention } from '../retention/retention';
import { dropRetentionTables, retentionTables } from '../retention/retention-tables';
import type { OutboxDatabase } from './outbox-schema';
import { OutboxSchema1700000000000 } from './outbox-schema';
import { freshDatabase } from './servers';

export class Retention1700000100000 implements MigrationInterface {
  readonly name = 'Retention1700000100000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(retentionTables);
    await runner.query(operatorActionsTable);
    await runner.query(`CREATE TABLE notes (id uuid PRIMARY KEY, text text NOT NULL, data json, amount numeric(78, 0),
      is_open boolean NOT NULL DEFAULT false, created_at timestamptz NOT NULL DEFAULT now())`);
    await runner.query('CREATE TABLE others (id integer PRIMARY KEY, label text NOT NULL)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE notes, others');
    await runner.query(dropOperatorActionsTable);
    await runner.query(dropRetentionTables);
  }
}

/** A table with personal data, and a column that is not declared. */
@Entity('notes')
@Retention(keep('test'))
@PersonalData({ columns: ['text', 'data'], unless: 'is_open' })
export class NoteRow {
  @PrimaryColumn('uuid')
  id: string;
  @Column('text')
  text: string;
  @Column('json', { nullable: true })
  data: unknown;
}

/** Opens a database with the tables of this library, with the privileges of the running app. */
export async function openRetentionDatabase(maxConnections = 10): Promise<OutboxDatabase> {
  const fresh = await freshDatabase('shop');
  const migrations = [OutboxSchema1700000000000, Retention1700000100000];
  await migrate({ app: 'shop', url: fresh.ownerUrl, migrations });
  const entities = [NoteRow, ...(await databaseEntities({ hasAuditLog: true }))];
  const database = await Database.open({ app: 'shop', url: fresh.runtimeUrl, entities, maxConnections });
  return {
    fresh,
    database,
    async close() {
      await database.close();
      await fresh.drop();
    },
  };
}
