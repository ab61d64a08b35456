import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Storefronts1798300000000 implements MigrationInterface {
  readonly name = 'Storefronts1798300000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(columns);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE settings DROP COLUMN store_color, DROP COLUMN embed_origins');
  }
}

// Settings that were stored before have neither: these names had no meaning then. So the checks need not read the table.
const columns = `
  ALTER TABLE settings ADD COLUMN store_color text, ADD COLUMN embed_origins text[] NOT NULL DEFAULT '{}';
  ALTER TABLE settings
    ADD CONSTRAINT settings_store_color_check CHECK (store_color ~ '^#[0-9a-f]{6}$') NOT VALID,
    ADD CONSTRAINT settings_embed_origins_check CHECK (cardinality(embed_origins) <= 10) NOT VALID
`;
