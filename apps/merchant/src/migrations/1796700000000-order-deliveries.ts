import type { MigrationInterface, QueryRunner } from 'typeorm';

export class OrderDeliveries1796700000000 implements MigrationInterface {
  readonly name = 'OrderDeliveries1796700000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(deliveries);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE orders DROP COLUMN settled_by');
  }
}

const deliveries = `
  -- Network and hash of the transaction that settles the order: it pays nothing else.
  ALTER TABLE orders ADD COLUMN settled_by text;
  UPDATE orders SET settled_by = lower((data->>'settle_chain') || ':' || (data->>'settle_tx'));
  CREATE INDEX orders_settled_by ON orders (settled_by) WHERE settled_by IS NOT NULL;
`;
