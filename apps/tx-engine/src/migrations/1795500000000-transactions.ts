import { dropOutboxTables, outboxTables } from '@tollbridge/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Transactions1795500000000 implements MigrationInterface {
  readonly name = 'Transactions1795500000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(quotes);
    await runner.query(sets);
    await runner.query(outboxTables);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(dropOutboxTables);
    await runner.query('DROP TABLE nonce_claims, transaction_sets, quotes');
  }
}

const quotes = `
  CREATE TABLE quotes (
    id uuid PRIMARY KEY,
    -- Who asked, and alone may build it.
    owner text NOT NULL,
    provider text NOT NULL,
    from_token json NOT NULL,
    to_token json NOT NULL,
    amount_in numeric(78, 0) NOT NULL CHECK (amount_in > 0),
    amount_out numeric(78, 0) NOT NULL CHECK (amount_out > 0),
    min_amount_out numeric(78, 0) NOT NULL CHECK (min_amount_out > 0 AND min_amount_out <= amount_out),
    slippage_bps integer NOT NULL,
    expires_at timestamptz NOT NULL
  );
  CREATE INDEX quotes_old ON quotes (expires_at);
`;

const sets = `
  CREATE TABLE transaction_sets (
    id uuid PRIMARY KEY,
    owner text NOT NULL,
    quote_id uuid NOT NULL,
    batch_id uuid,
    state text NOT NULL CHECK (state IN
      ('built', 'signing', 'submitting', 'submitted', 'confirming', 'completed', 'failed', 'expired')),
    -- Counts the changes. Whoever changes a set has read this version of it, or changes nothing.
    version integer NOT NULL DEFAULT 1,
    provider text NOT NULL,
    from_token json NOT NULL,
    to_token json NOT NULL,
    user_address text NOT NULL,
    recipient text NOT NULL,
    amount_in numeric(78, 0) NOT NULL,
    amount_out numeric(78, 0) NOT NULL,
    min_amount_out numeric(78, 0) NOT NULL,
    steps json NOT NULL,
    -- As built, signed, sent and mined.
    transactions json NOT NULL,
    estimated_seconds integer NOT NULL,
    gas_cost_usd text,
    valid_until timestamptz NOT NULL,
    origin_confirmations integer NOT NULL,
    destination_confirmations integer NOT NULL,
    delivery json,
    failure json,
    created_at timestamptz NOT NULL,
    executed_at timestamptz,
    ended_at timestamptz,
    -- When a worker looks at it next; null for those that wait for their signer, and for those that are over.
    check_at timestamptz
  );
  CREATE INDEX transaction_sets_due ON transaction_sets (check_at) WHERE check_at IS NOT NULL;
  CREATE INDEX transaction_sets_unsigned ON transaction_sets (valid_until) WHERE state = 'built';

  -- The nonces of what is signed to be sent: a signer's nonce belongs to one set, whoever comes first.
  CREATE TABLE nonce_claims (
    chain_id bigint NOT NULL,
    signer text NOT NULL,
    nonce bigint NOT NULL,
    set_id uuid NOT NULL REFERENCES transaction_sets,
    PRIMARY KEY (chain_id, signer, nonce)
  );
  CREATE INDEX nonce_claims_set ON nonce_claims (set_id);
`;
