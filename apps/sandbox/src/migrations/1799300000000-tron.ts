import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Tron1799300000000 implements MigrationInterface {
  readonly name = 'Tron1799300000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(tron);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE tron_transactions, tron_blocks');
  }
}

// The blocks of the EVM node hold the transactions; these tables answer requests without reading all blocks again.
const tron = `
  CREATE TABLE tron_blocks (
    height bigint PRIMARY KEY,
    hash text NOT NULL
  );

  CREATE TABLE tron_transactions (
    id text PRIMARY KEY,
    height bigint NOT NULL,
    block_hash text NOT NULL,
    mined_at timestamptz NOT NULL,
    execution text,
    owner text NOT NULL,
    deployed text,
    free_bytes bigint NOT NULL,
    body json NOT NULL
  );
  CREATE INDEX tron_transactions_block_idx ON tron_transactions (block_hash);
  CREATE INDEX tron_transactions_execution_idx ON tron_transactions (execution);
  CREATE INDEX tron_transactions_owner_idx ON tron_transactions (owner, mined_at);
  CREATE INDEX tron_transactions_contract_idx ON tron_transactions (deployed);
`;
