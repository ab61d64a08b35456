import type { MigrationInterface, QueryRunner } from 'typeorm';

export class DisplacedReports1801990200000 implements MigrationInterface {
  readonly name = 'DisplacedReports1801990200000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE displaced_reports (
      order_id uuid NOT NULL CONSTRAINT displaced_reports_order_id_fkey REFERENCES orders (id),
      tx_hash text NOT NULL,
      chain text NOT NULL,
      displaced_at timestamptz NOT NULL,
      check_at timestamptz NOT NULL,
      PRIMARY KEY (order_id, tx_hash)
    )`);
    await runner.query('CREATE INDEX displaced_reports_due ON displaced_reports (chain, check_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE displaced_reports');
  }
}
