import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Paylinks1796500000000 implements MigrationInterface {
  readonly name = 'Paylinks1796500000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(settings);
    await runner.query(paylinks);
    await runner.query(payments);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE paylink_payments, paylinks, settings_changes, settings');
  }
}

const settings = `
  CREATE TABLE settings (
    wallet text PRIMARY KEY CHECK (wallet <> ''),
    -- Not jsonb: what was stored is read as it was written, in its order of fields.
    data json NOT NULL,
    updated_at timestamptz NOT NULL
  );
  -- Who changed them when; never deleted.
  CREATE TABLE settings_changes (
    seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    wallet text NOT NULL,
    change text NOT NULL CHECK (change IN ('stored', 'deleted')),
    request_id text NOT NULL,
    changed_at timestamptz NOT NULL
  );
  CREATE INDEX settings_changes_wallet ON settings_changes (wallet, seq DESC);
`;

const paylinks = `
  CREATE TABLE paylinks (
    -- Version 7: newer ids are greater.
    id uuid PRIMARY KEY,
    wallet text NOT NULL CHECK (wallet <> ''),
    name text NOT NULL,
    description text NOT NULL,
    -- 0 where the payer chooses; then min_amount is the least that counts.
    amount numeric(78,0) NOT NULL CHECK (amount >= 0),
    min_amount numeric(78,0) CHECK (min_amount > 0),
    -- The chain's id in the registry, and its token as it stood when the link was made; no address is the chain's coin.
    chain text NOT NULL,
    token text NOT NULL,
    token_address text,
    decimals smallint NOT NULL,
    receive_address text NOT NULL,
    image_url text,
    success_url text,
    metadata json,
    expires_at timestamptz,
    max_payments integer CHECK (max_payments > 0),
    active boolean NOT NULL DEFAULT true,
    -- Since when it takes no payments: switched off or deleted.
    closed_at timestamptz,
    -- The row stays where payments were recorded: their transfers count for no other link.
    deleted_at timestamptz,
    payment_count integer NOT NULL DEFAULT 0,
    -- How many of them nobody could verify.
    unverified_count integer NOT NULL DEFAULT 0,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    CONSTRAINT paylinks_amount CHECK ((amount = 0) = (min_amount IS NOT NULL)),
    CONSTRAINT paylinks_closed CHECK ((closed_at IS NULL) = (active AND deleted_at IS NULL)),
    CONSTRAINT paylinks_count CHECK (payment_count BETWEEN unverified_count AND coalesce(max_payments, payment_count)),
    CONSTRAINT paylinks_unverified CHECK (unverified_count >= 0)
  );
  CREATE INDEX paylinks_wallet ON paylinks (wallet, id DESC) WHERE deleted_at IS NULL;
`;

const payments = `
  CREATE TABLE paylink_payments (
    id uuid PRIMARY KEY,
    -- The order in which they were recorded: of two links that one transfer could pay, the first one gets it.
    seq bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
    paylink_id uuid NOT NULL REFERENCES paylinks (id),
    chain text NOT NULL,
    tx_hash text NOT NULL,
    -- Only 'counted' is part of the link's payment_count; excess, late and inactive are real payments that came when
    -- the link took none.
    status text NOT NULL CHECK (status IN ('pending', 'counted', 'excess', 'late', 'inactive', 'rejected')),
    -- Whether it was read on the chain.
    is_verified boolean NOT NULL DEFAULT false,
    -- Why it was not counted, for people.
    reason text,
    -- The transfer that pays, as soon as it was seen in a block: its place among the logs, -1 for the transaction's own
    -- value.
    log_index integer,
    amount numeric(78,0) CHECK (amount > 0),
    payer text,
    height bigint,
    block_hash text,
    paid_at timestamptz,
    -- US dollars at the moment of counting; null without a price.
    value_usd numeric,
    -- Whether the merchant was told that it counts.
    is_told boolean NOT NULL DEFAULT false,
    pending_since timestamptz NOT NULL,
    -- When the chain is looked at again; null when there is nothing more to see.
    next_look_at timestamptz,
    version integer NOT NULL DEFAULT 1,
    recorded_at timestamptz NOT NULL,
    decided_at timestamptz,
    UNIQUE (paylink_id, tx_hash),
    CONSTRAINT paylink_payments_decided CHECK ((decided_at IS NULL) = (status = 'pending')),
    CONSTRAINT paylink_payments_place CHECK
      (num_nulls(log_index, amount) IN (0, 2) AND num_nulls(height, block_hash, paid_at) IN (0, 3)),
    CONSTRAINT paylink_payments_real CHECK (status IN ('pending', 'rejected') OR log_index IS NOT NULL),
    CONSTRAINT paylink_payments_rejected CHECK (status <> 'rejected' OR log_index IS NULL)
  );
  -- One transfer pays once, over all links.
  CREATE UNIQUE INDEX paylink_payments_transfer ON paylink_payments (chain, tx_hash, log_index)
    WHERE log_index IS NOT NULL;
  CREATE INDEX paylink_payments_transaction ON paylink_payments (chain, tx_hash);
  CREATE INDEX paylink_payments_due ON paylink_payments (chain, next_look_at) WHERE next_look_at IS NOT NULL;
  CREATE INDEX paylink_payments_unseen ON paylink_payments (paylink_id) WHERE status = 'pending' AND log_index IS NULL;
  CREATE INDEX paylink_payments_link ON paylink_payments (paylink_id, seq DESC);
  CREATE INDEX paylink_payments_rejected_at ON paylink_payments (decided_at) WHERE status = 'rejected';
`;
