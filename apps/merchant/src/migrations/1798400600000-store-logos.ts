import type { MigrationInterface, QueryRunner } from 'typeorm';

export class StoreLogos1798400600000 implements MigrationInterface {
  readonly name = 'StoreLogos1798400600000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(columns);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE settings DROP COLUMN logo, DROP COLUMN logo_hash');
  }
}

// No row has a logo yet, so the check need not read the table.
const columns = `
  ALTER TABLE settings ADD COLUMN logo bytea, ADD COLUMN logo_hash text;
  ALTER TABLE settings
    ADD CONSTRAINT settings_logo_check CHECK ((logo IS NULL) = (logo_hash IS NULL)) NOT VALID
`;
