import { dropLeasesTable, leasesTable } from '@tollbridge/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Leases1798000000000 implements MigrationInterface {
  readonly name = 'Leases1798000000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(leasesTable);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(dropLeasesTable);
  }
}
