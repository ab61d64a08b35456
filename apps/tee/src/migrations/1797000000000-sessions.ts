import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Sessions1797000000000 implements MigrationInterface {
  readonly name = 'Sessions1797000000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(sessions);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE cancellations, sessions; ALTER TABLE payments DROP COLUMN grant_digest');
  }
}

const sessions = `
  -- What was charged and is held under each grant of a wallet to another key; holds that are let go are given back.
  CREATE TABLE sessions (
    grant_digest bytea PRIMARY KEY CHECK (octet_length(grant_digest) = 32),
    account bytea NOT NULL,
    nonce bytea NOT NULL,
    spent bigint NOT NULL CHECK (spent >= 0 AND spent <= max_total),
    max_total numeric(39) NOT NULL,
    -- Unix seconds, signed.
    valid_before bigint NOT NULL
  );

  ALTER TABLE payments ADD COLUMN grant_digest bytea;

  -- Nonces of payments and grants that must never be charged. Both may be signed for any time to come: these are kept.
  CREATE TABLE cancellations (
    account bytea NOT NULL,
    nonce bytea NOT NULL,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (account, nonce)
  );
`;
