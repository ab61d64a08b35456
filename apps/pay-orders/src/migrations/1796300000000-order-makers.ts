import type { MigrationInterface, QueryRunner } from 'typeorm';

export class OrderMakers1796300000000 implements MigrationInterface {
  readonly name = 'OrderMakers1796300000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(columns);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      'ALTER TABLE orders DROP COLUMN created_by, DROP COLUMN key_id, DROP COLUMN settled_value_usd',
    );
  }
}

const columns = `
  ALTER TABLE orders
    -- The wallet whose key or sign-in made the order, and the key; null when anybody could have made it.
    ADD COLUMN created_by text,
    ADD COLUMN key_id uuid,
    -- Dollars that the merchant amount was worth when the order was first settled.
    ADD COLUMN settled_value_usd numeric CHECK (settled_value_usd >= 0);
`;
