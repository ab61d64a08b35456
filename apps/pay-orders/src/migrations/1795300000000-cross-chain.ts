import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CrossChain1795300000000 implements MigrationInterface {
  readonly name = 'CrossChain1795300000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(orders);
    await runner.query(deposits);
    await runner.query(minAmounts);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX payments_tx');
    await runner.query('DROP TABLE min_amounts, settlement_claims, deposits, route_commits');
    await runner.query(`
      DELETE FROM tx_claims WHERE order_id IN (SELECT id FROM orders WHERE method = 'CrossChain');
      DELETE FROM orders WHERE method = 'CrossChain';
      ALTER TABLE orders DROP CONSTRAINT orders_direct;
      ALTER TABLE orders ALTER COLUMN contract_address SET NOT NULL, ALTER COLUMN token_in_address SET NOT NULL`);
  }
}

const orders = `
  ALTER TABLE orders
    ALTER COLUMN contract_address DROP NOT NULL,
    ALTER COLUMN token_in_address DROP NOT NULL,
    ADD CONSTRAINT orders_direct CHECK (
      (method = 'Direct') = (contract_address IS NOT NULL) AND (method = 'Direct') = (token_in_address IS NOT NULL)
    );
`;

const deposits = `
  -- Every deposit address that was ever asked for, noted before it is asked: one per order, whatever happens between the
  -- provider's answer and our commit. Without an outcome the process fell in between, and nobody was told the address.
  CREATE TABLE route_commits (
    order_id uuid PRIMARY KEY,
    request json NOT NULL,
    asked_at timestamptz NOT NULL,
    outcome text CHECK (outcome IN ('committed', 'refused', 'unavailable', 'unknown')),
    reason text,
    answered_at timestamptz
  );
  CREATE INDEX route_commits_open ON route_commits (asked_at) WHERE outcome IS NULL;

  CREATE TABLE deposits (
    order_id uuid PRIMARY KEY REFERENCES orders,
    address text NOT NULL,
    memo text,
    amount numeric(78, 0) NOT NULL CHECK (amount > 0),
    min_amount numeric(78, 0) NOT NULL CHECK (min_amount > 0),
    decimals integer NOT NULL,
    estimated_seconds integer NOT NULL,
    -- What arrives later is sent back.
    deadline timestamptz NOT NULL,
    -- The provider's whole signed answer, for disputes: as it came, hence no jsonb.
    signed_quote json NOT NULL,

    state text NOT NULL DEFAULT 'waiting'
      CHECK (state IN ('waiting', 'seen', 'incomplete', 'processing', 'delivered', 'refunded', 'failed')),
    deposit_tx text,
    delivery_tx text,
    deposited numeric(78, 0),
    amount_in numeric(78, 0),
    amount_out numeric(78, 0),
    refunded numeric(78, 0),
    refund_reason text,
    settlement_proof text CHECK (settlement_proof IN ('chain', 'provider')),
    -- Why a delivery that was told is not believed yet; for people.
    problem text,

    -- What the payer reported, until the provider was told of it.
    reported_tx text,
    -- When it was asked last, with an answer; and when it is asked next.
    answered_at timestamptz,
    check_at timestamptz NOT NULL,
    -- Nothing more can come of it.
    closed_at timestamptz
  );
  CREATE UNIQUE INDEX deposits_address ON deposits (address, coalesce(memo, ''));
  CREATE INDEX deposits_due ON deposits (check_at) WHERE closed_at IS NULL;

  -- A transfer to a merchant settles one order.
  CREATE TABLE settlement_claims (
    chain text NOT NULL,
    tx_hash text NOT NULL,
    -- -1 for a transfer of the chain's coin.
    log_index integer NOT NULL,
    order_id uuid NOT NULL REFERENCES orders,
    PRIMARY KEY (chain, tx_hash, log_index)
  );
  CREATE INDEX payments_tx ON payments (chain, tx_hash);
  CREATE INDEX settlement_claims_order ON settlement_claims (order_id);
`;

const minAmounts = `
  CREATE TABLE min_amounts (
    blockchain text NOT NULL,
    token text NOT NULL,
    settle_chain text NOT NULL,
    settle_token text NOT NULL,
    min_settle_amount numeric(78, 0) NOT NULL,
    min_usd numeric NOT NULL,
    updated_at timestamptz NOT NULL,
    PRIMARY KEY (blockchain, token)
  );
`;
