import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Refunds1797040000000 implements MigrationInterface {
  readonly name = 'Refunds1797040000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(orders);
    await runner.query(refunds);
    await runner.query(transactions);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE refund_transactions, refund_nonces, refunds, refund_addresses');
    await runner.query('DROP SEQUENCE refund_address_index');
    await runner.query('ALTER TABLE deposits DROP COLUMN deposit_txs');
    await runner.query('ALTER TABLE orders DROP COLUMN is_payerless');
  }
}

const orders = `
  -- Its payer_address is an address of the refund account.
  ALTER TABLE orders ADD COLUMN is_payerless boolean NOT NULL DEFAULT false;
  -- Every deposit that the route provider has reported.
  ALTER TABLE deposits ADD COLUMN deposit_txs text[] NOT NULL DEFAULT '{}';
`;

const refunds = `
  -- Derivation index of the next address. Gaps do no harm.
  CREATE SEQUENCE refund_address_index AS integer MINVALUE 0 START 0;
  -- Where the route provider refunds the deposit of an order without a payer.
  CREATE TABLE refund_addresses (
    order_id uuid PRIMARY KEY REFERENCES orders,
    address text NOT NULL,
    -- Null for an address of the operator that this deployment can neither read nor send from.
    address_index integer UNIQUE,
    -- When something was last heard of it: it is read less and less often afterwards.
    since timestamptz NOT NULL,
    check_at timestamptz,
    -- Coins that may be left over of the gas of earlier transactions: no refund.
    leftover numeric(78, 0) NOT NULL DEFAULT 0,
    -- The block of the newest transfer to a sender: what a node says of earlier blocks is outdated.
    settled_height bigint NOT NULL DEFAULT 0,
    CONSTRAINT refund_addresses_read CHECK (check_at IS NULL OR address_index IS NOT NULL)
  );
  CREATE INDEX refund_addresses_due ON refund_addresses (check_at) WHERE check_at IS NOT NULL;

  CREATE TABLE refunds (
    id uuid PRIMARY KEY,
    order_id uuid NOT NULL REFERENCES refund_addresses,
    state text NOT NULL
      CHECK (state IN ('arrived', 'ready', 'funding', 'sending', 'sent', 'manual', 'closed')),
    -- What has come back; what was sent once it is sent.
    amount numeric(78, 0) NOT NULL CHECK (amount > 0),
    recipient text,
    -- Why it waits, or why an operator has to decide.
    reason text,
    -- Of the transaction under way, and the account that sends it.
    sender text,
    nonce bigint,
    tx_hash text,
    -- Who decided by hand.
    resolved_by text,
    resolved_at timestamptz,
    check_at timestamptz,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    CONSTRAINT refunds_under_way CHECK ((state IN ('funding', 'sending')) = (nonce IS NOT NULL)),
    CONSTRAINT refunds_recipient CHECK (state NOT IN ('ready', 'funding', 'sending', 'sent') OR recipient IS NOT NULL),
    CONSTRAINT refunds_sent CHECK (state <> 'sent' OR tx_hash IS NOT NULL),
    CONSTRAINT refunds_due CHECK ((state IN ('arrived', 'ready', 'funding', 'sending')) = (check_at IS NOT NULL))
  );
  -- All that stands on an address is one refund at a time.
  CREATE UNIQUE INDEX refunds_open ON refunds (order_id) WHERE state NOT IN ('sent', 'closed');
  CREATE INDEX refunds_order ON refunds (order_id);
  CREATE INDEX refunds_due ON refunds (check_at) WHERE check_at IS NOT NULL;
  CREATE INDEX refunds_manual ON refunds (created_at) WHERE state = 'manual';
`;

const transactions = `
  -- Each nonce of an account belongs to one refund for ever.
  CREATE TABLE refund_nonces (
    chain text NOT NULL,
    sender text NOT NULL,
    nonce bigint NOT NULL,
    refund_id uuid NOT NULL REFERENCES refunds,
    PRIMARY KEY (chain, sender, nonce)
  );
  CREATE INDEX refund_nonces_refund ON refund_nonces (refund_id);
  -- Signed transactions, written before they are sent. Those of one nonce replace each other.
  CREATE TABLE refund_transactions (
    hash text PRIMARY KEY,
    chain text NOT NULL,
    sender text NOT NULL,
    nonce bigint NOT NULL,
    refund_id uuid NOT NULL REFERENCES refunds,
    raw text NOT NULL,
    -- What it forwards; of gas, what it pays in.
    amount numeric(78, 0) NOT NULL,
    -- Coins that it leaves on its address for its own gas.
    reserve numeric(78, 0) NOT NULL,
    gas_limit bigint NOT NULL,
    max_fee numeric(78, 0) NOT NULL,
    tip numeric(78, 0) NOT NULL,
    created_at timestamptz NOT NULL,
    FOREIGN KEY (chain, sender, nonce) REFERENCES refund_nonces
  );
  CREATE INDEX refund_transactions_refund ON refund_transactions (refund_id);
`;
