import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Orders1795900000000 implements MigrationInterface {
  readonly name = 'Orders1795900000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(orders);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE orders');
  }
}

const orders = `
  -- A copy of what the pay service told last of each order: its record is there.
  CREATE TABLE orders (
    id uuid PRIMARY KEY,
    -- The merchant that it concerns.
    wallet text NOT NULL,
    -- 0 only within the transaction that makes the row.
    version integer NOT NULL,
    data json
  );
`;
