import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Solana1799100000000 implements MigrationInterface {
  readonly name = 'Solana1799100000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(solana);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE solana_transactions, solana_accounts, solana_chain');
  }
}

// Blocks without transactions follow from the clock and are not stored.
const solana = `
  CREATE TABLE solana_chain (
    id boolean PRIMARY KEY DEFAULT true CHECK (id),
    genesis_at timestamptz NOT NULL
  );

  CREATE TABLE solana_accounts (
    address text PRIMARY KEY,
    lamports numeric(20, 0) NOT NULL,
    owner text NOT NULL,
    data bytea NOT NULL,
    executable boolean NOT NULL
  );

  CREATE TABLE solana_transactions (
    slot bigint NOT NULL,
    position integer NOT NULL,
    signature text NOT NULL,
    -- As it was sent, with its signatures.
    wire bytea NOT NULL,
    -- What the execution showed.
    meta json NOT NULL,
    addresses text[] NOT NULL,
    PRIMARY KEY (slot, position)
  );

  CREATE UNIQUE INDEX solana_transactions_signature ON solana_transactions (signature);
  CREATE INDEX solana_transactions_addresses ON solana_transactions USING gin (addresses);
`;
