import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Counts a payment as seen when the chain shows it. Before, a submitted hash was enough. */
export class SeenPayments1797000100000 implements MigrationInterface {
  readonly name = 'SeenPayments1797000100000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE payments ADD COLUMN is_seen boolean NOT NULL DEFAULT false');
    // Keeps the column equal to what seen_payments has counted.
    await runner.query("UPDATE payments SET is_seen = true WHERE order_status = 'settling'");
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`UPDATE payment_requests r SET seen_payments =
      (SELECT count(*) FROM payments p WHERE p.request_id = r.id AND p.order_status = 'settling')
      WHERE id IN (SELECT request_id FROM payments WHERE order_status = 'settling')`);
    await runner.query('ALTER TABLE payments DROP COLUMN is_seen');
  }
}
