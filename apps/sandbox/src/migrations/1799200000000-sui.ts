import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Sui1799200000000 implements MigrationInterface {
  readonly name = 'Sui1799200000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(sui);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE sui_events, sui_transactions, sui_objects, sui_chain');
  }
}

const sui = `
  CREATE TABLE sui_chain (
    id boolean PRIMARY KEY DEFAULT true CHECK (id),
    genesis_at timestamptz NOT NULL
  );

  -- Live objects at their newest version.
  CREATE TABLE sui_objects (
    id text PRIMARY KEY,
    version bigint NOT NULL,
    digest text NOT NULL,
    owner_kind text NOT NULL,
    -- Account or object; null for shared objects.
    owner text,
    shared_at bigint,
    type text NOT NULL,
    -- BCS.
    contents bytea NOT NULL,
    previous_transaction text NOT NULL
  );

  CREATE INDEX sui_objects_owner ON sui_objects (owner, type);

  CREATE TABLE sui_transactions (
    sequence bigint PRIMARY KEY,
    digest text NOT NULL UNIQUE,
    checkpoint bigint NOT NULL,
    -- BCS.
    transaction_data bytea NOT NULL,
    signatures text[] NOT NULL,
    effects bytea NOT NULL,
    -- Status, changes of objects and balances, as replies show them.
    outcome jsonb NOT NULL
  );

  CREATE TABLE sui_events (
    sequence bigint NOT NULL,
    position integer NOT NULL,
    checkpoint bigint NOT NULL,
    type text NOT NULL,
    -- BCS.
    contents bytea NOT NULL,
    PRIMARY KEY (sequence, position)
  );

  CREATE INDEX sui_events_type ON sui_events (type, sequence, position);
`;
