import { dropOutboxTables, outboxTables } from '@tollbridge/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Orders1795200000000 implements MigrationInterface {
  readonly name = 'Orders1795200000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(orders);
    await runner.query(payments);
    await runner.query(outboxTables);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(dropOutboxTables);
    await runner.query('DROP TABLE payments, chain_positions, chain_blocks, tx_claims, orders');
  }
}

const orders = `
  CREATE TABLE orders (
    id uuid PRIMARY KEY,
    status text NOT NULL CHECK (status IN ('waiting_payment', 'settling', 'settled', 'failed', 'expired')),
    method text NOT NULL CHECK (method IN ('Direct', 'CrossChain')),
    pay_chain text NOT NULL,
    pay_token text NOT NULL,
    settle_chain text NOT NULL,
    settle_token text NOT NULL,
    merchant_address text NOT NULL,
    merchant_amount numeric(78, 0) NOT NULL CHECK (merchant_amount > 0),
    fee_receiver text NOT NULL,
    fee_amount numeric(78, 0) NOT NULL CHECK (fee_amount BETWEEN 0 AND merchant_amount),
    merchant_id text NOT NULL,
    payer_address text NOT NULL,
    contract_address text NOT NULL,
    token_in_address text NOT NULL,
    pay_tx text,
    -- Since when pay_tx is looked for; set while paid_height is null.
    pay_tx_since timestamptz,
    -- When the payer reported pay_tx; null when only the watcher found it.
    reported_at timestamptz,
    -- When a reported transaction is judged next, while its payment is not found.
    judge_at timestamptz,
    -- The block of the payment that was found and matches; null while none is known.
    paid_height bigint,
    settle_tx text,
    settled_amount numeric(78, 0),
    failure_reason text,
    late boolean NOT NULL DEFAULT false,
    version integer NOT NULL DEFAULT 1,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL
  );
  CREATE INDEX orders_payer ON orders (payer_address, created_at DESC, id DESC);
  CREATE INDEX orders_due ON orders (expires_at) WHERE status = 'waiting_payment';
  CREATE INDEX orders_deep ON orders (pay_chain, paid_height) WHERE status = 'settling';
  CREATE INDEX orders_judge ON orders (pay_chain, judge_at) WHERE status = 'settling' AND paid_height IS NULL;
  CREATE INDEX orders_paid ON orders (pay_chain, paid_height) WHERE paid_height IS NOT NULL;

  -- A transaction may be reported for one order only. A claim that proves false is deleted.
  CREATE TABLE tx_claims (
    chain text NOT NULL,
    tx_hash text NOT NULL,
    order_id uuid NOT NULL REFERENCES orders,
    PRIMARY KEY (chain, tx_hash)
  );
  CREATE INDEX tx_claims_order ON tx_claims (order_id);
`;

const payments = `
  -- Every event of the payment contract that names one of our orders, matching or not.
  CREATE TABLE payments (
    chain text NOT NULL,
    block_hash text NOT NULL,
    log_index integer NOT NULL,
    tx_hash text NOT NULL,
    height bigint NOT NULL,
    order_id uuid NOT NULL,
    order_hash text NOT NULL,
    payer text NOT NULL,
    fields json NOT NULL,
    -- What differs from the order; null when nothing does.
    mismatch text,
    -- The block is no longer part of the chain.
    removed boolean NOT NULL DEFAULT false,
    seen_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (chain, block_hash, log_index)
  );
  CREATE INDEX payments_order ON payments (order_id);
  CREATE INDEX payments_height ON payments (chain, height);

  -- The newest blocks that were read, to notice by parent hash that the chain took another way.
  CREATE TABLE chain_blocks (
    chain text NOT NULL,
    height bigint NOT NULL,
    hash text NOT NULL,
    parent_hash text NOT NULL,
    timestamp bigint NOT NULL,
    PRIMARY KEY (chain, height)
  );

  CREATE TABLE chain_positions (
    chain text PRIMARY KEY,
    height bigint NOT NULL,
    -- The time of that block: every payment up to then, by the chain's own clock, is known here.
    synced_at timestamptz
  );
`;
