import type { MigrationInterface, QueryRunner } from 'typeorm';

export class PepperIds1798100000000 implements MigrationInterface {
  readonly name = 'PepperIds1798100000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(pepperIds);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(dropPepperIds);
  }
}

// Without a default, so that no row is rewritten.
const pepperIds = `
  -- The name of the pepper that the hash was made with; null where a release before this column made it.
  ALTER TABLE api_keys ADD COLUMN pepper_id bytea CHECK (octet_length(pepper_id) = 8),
    ADD COLUMN previous_pepper_id bytea CHECK (octet_length(previous_pepper_id) = 8);
  ALTER TABLE wallet_sessions ADD COLUMN pepper_id bytea CHECK (octet_length(pepper_id) = 8);
  -- Of the pepper that both secrets are sealed under.
  ALTER TABLE webhook_endpoints ADD COLUMN pepper_id bytea CHECK (octet_length(pepper_id) = 8);
`;
const dropPepperIds = `
  ALTER TABLE webhook_endpoints DROP COLUMN pepper_id;
  ALTER TABLE wallet_sessions DROP COLUMN pepper_id;
  ALTER TABLE api_keys DROP COLUMN pepper_id, DROP COLUMN previous_pepper_id;
`;
