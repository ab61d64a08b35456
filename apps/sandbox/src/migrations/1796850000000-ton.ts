import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Ton1796850000000 implements MigrationInterface {
  readonly name = 'Ton1796850000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(ton);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE ton_transactions, ton_accounts, ton_chain');
  }
}

// The state of each account is kept as it was left, so that a start reads nothing but what is asked for.
const ton = `
  CREATE TABLE ton_chain (
    id boolean PRIMARY KEY DEFAULT true CHECK (id),
    genesis_at timestamptz NOT NULL,
    lt numeric(20, 0) NOT NULL
  );

  CREATE TABLE ton_accounts (
    address text PRIMARY KEY,
    -- Bags of cells, in base64, as the emulator takes and gives them.
    shard_account text NOT NULL
  );

  CREATE TABLE ton_transactions (
    account text NOT NULL,
    lt numeric(20, 0) NOT NULL,
    hash text NOT NULL,
    boc text NOT NULL,
    PRIMARY KEY (account, lt)
  );
`;
