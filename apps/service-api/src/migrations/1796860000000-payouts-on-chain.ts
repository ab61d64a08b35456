import type { MigrationInterface, QueryRunner } from 'typeorm';

export class PayoutsOnChain1796860000000 implements MigrationInterface {
  readonly name = 'PayoutsOnChain1796860000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(sending);
    await runner.query(batches);
    await runner.query(relays);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE payout_relays');
    await runner.query('DROP TABLE payout_nonces');
    await runner.query('DROP TABLE payout_batches');
    await runner.query(`ALTER TABLE payouts DROP COLUMN state, DROP COLUMN token_address, DROP COLUMN contract,
      DROP COLUMN value_usd, DROP COLUMN deadline, DROP COLUMN approve_until, DROP COLUMN approved_by,
      DROP COLUMN from_height, DROP COLUMN version, DROP COLUMN updated_at`);
  }
}

const states = "'awaiting_approval', 'sending', 'completed', 'partly_paid', 'failed', 'rejected', 'expired'";

// All null for what is not for the chain.
const sending = `
  ALTER TABLE payouts
    ADD COLUMN state text CHECK (state IN (${states})),
    -- As they were when it was submitted: what is signed does not change.
    ADD COLUMN token_address text,
    ADD COLUMN contract text,
    ADD COLUMN value_usd numeric,
    -- Unix seconds: the chain takes its signatures until then.
    ADD COLUMN deadline bigint,
    ADD COLUMN approve_until timestamptz,
    ADD COLUMN approved_by uuid CHECK (approved_by IS DISTINCT FROM key_id OR approved_by IS NULL),
    -- Nothing of it is in a block below.
    ADD COLUMN from_height bigint,
    ADD COLUMN version integer NOT NULL DEFAULT 1,
    ADD COLUMN updated_at timestamptz,
    ADD CONSTRAINT payouts_on_chain CHECK ((state IS NULL) = (contract IS NULL)
      AND (state IS NULL) = (token_address IS NULL) AND (state IS NULL) = (deadline IS NULL)
      AND (state IS NULL) = (approve_until IS NULL) AND (state IS NULL) = (updated_at IS NULL));
  CREATE INDEX payouts_waiting ON payouts (approve_until) WHERE state = 'awaiting_approval';
`;

const batches = `
  CREATE TABLE payout_batches (
    payout_id uuid NOT NULL REFERENCES payouts,
    place integer NOT NULL CHECK (place >= 0),
    first_recipient integer NOT NULL,
    recipient_count integer NOT NULL CHECK (recipient_count > 0),
    total_atomic numeric(78,0) NOT NULL CHECK (total_atomic > 0),
    fee_atomic numeric(78,0) NOT NULL CHECK (fee_atomic >= 0),
    status text NOT NULL CHECK (status IN ('waiting', 'ready', 'sending', 'paid', 'failed')),
    signature text,
    -- Of the relayer, while a transaction with it may be mined.
    relay_nonce bigint,
    -- Why it is not paid, or not yet.
    reason text,
    tx_hash text,
    -- Places of the recipients that the token refused.
    refused integer[] NOT NULL DEFAULT '{}',
    paid_atomic numeric(78,0),
    fee_paid_atomic numeric(78,0),
    -- When it is looked at again; null when nothing more can become of it, or it waits for people.
    check_at timestamptz,
    PRIMARY KEY (payout_id, place),
    CONSTRAINT payout_batches_signed CHECK (status IN ('waiting', 'failed') OR signature IS NOT NULL),
    CONSTRAINT payout_batches_sent CHECK ((status = 'sending') = (relay_nonce IS NOT NULL)),
    CONSTRAINT payout_batches_paid CHECK ((status = 'paid') = (paid_atomic IS NOT NULL)),
    CONSTRAINT payout_batches_due CHECK ((status IN ('ready', 'sending')) = (check_at IS NOT NULL))
  );
  CREATE INDEX payout_batches_due ON payout_batches (check_at) WHERE check_at IS NOT NULL;
`;

const relays = `
  -- Each nonce of a relayer belongs to one batch for ever.
  CREATE TABLE payout_nonces (
    chain text NOT NULL,
    relayer text NOT NULL,
    nonce bigint NOT NULL,
    payout_id uuid NOT NULL,
    place integer NOT NULL,
    PRIMARY KEY (chain, relayer, nonce),
    FOREIGN KEY (payout_id, place) REFERENCES payout_batches
  );
  -- Signed transactions, written before they are sent. Those of one nonce replace each other.
  CREATE TABLE payout_relays (
    hash text PRIMARY KEY,
    chain text NOT NULL,
    relayer text NOT NULL,
    nonce bigint NOT NULL,
    payout_id uuid NOT NULL,
    place integer NOT NULL,
    raw text NOT NULL,
    gas_limit bigint NOT NULL,
    max_fee numeric(78,0) NOT NULL,
    tip numeric(78,0) NOT NULL,
    created_at timestamptz NOT NULL,
    FOREIGN KEY (chain, relayer, nonce) REFERENCES payout_nonces,
    FOREIGN KEY (payout_id, place) REFERENCES payout_batches
  );
  CREATE INDEX payout_relays_batch ON payout_relays (payout_id, place);
`;
