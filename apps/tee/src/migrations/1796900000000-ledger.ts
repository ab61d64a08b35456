import { dropIdempotencyTable, dropOutboxTables, idempotencyTable, outboxTables } from '@tollbridge/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Ledger1796900000000 implements MigrationInterface {
  readonly name = 'Ledger1796900000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(outboxTables);
    await runner.query(idempotencyTable);
    await runner.query(ledger);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      'DROP TABLE withdrawals, payouts, deposits, used_nonces, approvals, refunds, payments, accounts, ledger; DROP FUNCTION ensure_payment_days, bytes_of',
    );
    await runner.query(dropIdempotencyTable);
    await runner.query(dropOutboxTables);
  }
}

// Amounts are in the smallest unit of the one asset of this deployment; accounts are hashes in the base workchain.
const ledger = `
  CREATE TABLE ledger (
    singleton boolean PRIMARY KEY DEFAULT true CHECK (singleton),
    -- Raised by each process that takes over: who still commits under an older one is refused.
    epoch bigint NOT NULL DEFAULT 0,
    -- Of the chain of receipts.
    seq bigint NOT NULL DEFAULT 0,
    -- How many payments were charged.
    charges bigint NOT NULL DEFAULT 0,
    head bytea NOT NULL DEFAULT '\\x${'00'.repeat(32)}' CHECK (octet_length(head) = 32),
    -- What the signatures in here are for; another deployment must not go on with this ledger.
    network_id integer,
    verifying_contract text,
    asset text
  );
  INSERT INTO ledger DEFAULT VALUES;

  CREATE TABLE accounts (
    account bytea PRIMARY KEY CHECK (octet_length(account) = 32),
    public_key bytea CHECK (octet_length(public_key) = 32),
    deposited bigint NOT NULL DEFAULT 0 CHECK (deposited >= 0),
    available bigint NOT NULL DEFAULT 0 CHECK (available >= 0),
    reserved bigint NOT NULL DEFAULT 0 CHECK (reserved >= 0),
    spent bigint NOT NULL DEFAULT 0 CHECK (spent >= 0),
    earned bigint NOT NULL DEFAULT 0 CHECK (earned >= 0),
    settled bigint NOT NULL DEFAULT 0 CHECK (settled >= 0),
    settling bigint NOT NULL DEFAULT 0 CHECK (settling >= 0),
    withdrawn bigint NOT NULL DEFAULT 0 CHECK (withdrawn >= 0),
    max_amount bigint CHECK (max_amount >= 0),
    rate_limit integer CHECK (rate_limit >= 0),
    updated_at timestamptz NOT NULL,
    CONSTRAINT accounts_balance CHECK (deposited = available + reserved + spent + withdrawn),
    CONSTRAINT accounts_settled CHECK (earned >= settled + settling),
    CONSTRAINT accounts_policy CHECK ((max_amount IS NULL) = (rate_limit IS NULL))
  );
  CREATE INDEX accounts_unsettled ON accounts ((earned - settled - settling)) WHERE earned > settled + settling;

  CREATE TABLE payments (
    payer bytea NOT NULL,
    nonce bytea NOT NULL,
    -- Unix seconds, signed. The same authorization falls into the same day, so that day tells whether it was used.
    valid_before bigint NOT NULL,
    valid_after bigint NOT NULL,
    confirmation_id uuid NOT NULL,
    digest bytea NOT NULL,
    seller bytea NOT NULL,
    resource_hash bytea NOT NULL,
    signature bytea NOT NULL,
    call_key bytea NOT NULL,
    flags smallint NOT NULL,
    state text NOT NULL CHECK (state IN ('held', 'captured', 'voided', 'expired')),
    amount bigint NOT NULL CHECK (amount > 0),
    charged bigint NOT NULL CHECK (charged >= 0 AND charged <= amount),
    hold_until bigint NOT NULL,
    -- Of the receipt of the charge; 0 where nothing was charged.
    seq bigint NOT NULL,
    charged_ms bigint NOT NULL,
    previous_head bytea NOT NULL,
    PRIMARY KEY (payer, nonce, valid_before)
  ) PARTITION BY RANGE (valid_before);
  CREATE INDEX payments_name ON payments (confirmation_id);
  CREATE INDEX payments_held ON payments (hold_until) WHERE state = 'held';

  CREATE TABLE refunds (
    confirmation_id uuid PRIMARY KEY,
    seq bigint NOT NULL UNIQUE,
    refunded_ms bigint NOT NULL,
    previous_head bytea NOT NULL,
    amount bigint NOT NULL
  );

  CREATE TABLE approvals (
    id uuid PRIMARY KEY,
    payer bytea NOT NULL,
    seller bytea NOT NULL,
    amount bigint NOT NULL CHECK (amount > 0),
    resource_hash bytea NOT NULL,
    status text NOT NULL CHECK (status IN ('pending', 'approved', 'rejected', 'used', 'expired')),
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL
  );
  CREATE INDEX approvals_payer ON approvals (payer, created_at DESC);
  CREATE INDEX approvals_open ON approvals (expires_at) WHERE status IN ('pending', 'approved');

  -- Nonces of what owners have signed beside payments: each is good for once.
  CREATE TABLE used_nonces (
    account bytea NOT NULL,
    nonce bytea NOT NULL,
    valid_before bigint NOT NULL,
    PRIMARY KEY (account, nonce)
  );
  CREATE INDEX used_nonces_old ON used_nonces (valid_before);

  CREATE TABLE deposits (
    -- Of the transaction on the chain that brought it: account, logical time, hash.
    chain_account text NOT NULL,
    lt numeric NOT NULL,
    hash text NOT NULL,
    account bytea NOT NULL,
    amount bigint NOT NULL CHECK (amount > 0),
    created_at timestamptz NOT NULL,
    PRIMARY KEY (chain_account, lt, hash)
  );

  -- One message to the chain that pays many; one after the other.
  CREATE TABLE payouts (
    number bigint PRIMARY KEY,
    query_id integer NOT NULL,
    boc bytea NOT NULL,
    -- What became of it stands behind this logical time.
    after_lt numeric NOT NULL,
    -- From when and until when the message can be taken by the chain, Unix seconds.
    made_at bigint NOT NULL,
    valid_until bigint NOT NULL,
    status text NOT NULL CHECK (status IN ('sent', 'completed', 'failed')),
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL
  );
  CREATE UNIQUE INDEX payouts_open ON payouts (status) WHERE status = 'sent';

  -- What accounts take out: balances, at the wish of their owners, and earnings of sellers.
  CREATE TABLE withdrawals (
    id uuid PRIMARY KEY,
    kind text NOT NULL CHECK (kind IN ('balance', 'earnings')),
    account bytea NOT NULL,
    destination bytea NOT NULL,
    amount bigint NOT NULL CHECK (amount > 0),
    status text NOT NULL CHECK (status IN ('pending', 'sent', 'completed')),
    payout bigint REFERENCES payouts,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    CONSTRAINT withdrawals_payout CHECK ((status = 'pending') = (payout IS NULL))
  );
  CREATE INDEX withdrawals_pending ON withdrawals (created_at, id) WHERE status = 'pending';
  CREATE INDEX withdrawals_payout ON withdrawals (payout);

  -- The part of so many bytes at a place in many of them: for an enclave of before, which may still run when this is set up.
  CREATE FUNCTION bytes_of(rows bytea, place bigint, width integer, at integer, length integer) RETURNS bytea
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS 'SELECT substring(rows FROM (place::integer - 1) * width + at + 1 FOR length)';

  -- One partition for each day of payments. The app may not create tables: it may call this.
  CREATE FUNCTION ensure_payment_days(first_day bigint, days integer) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = tee, pg_temp AS $$
    BEGIN
      IF days NOT BETWEEN 1 AND 31 THEN RAISE EXCEPTION 'at most a month'; END IF;
      FOR day IN first_day .. first_day + days - 1 LOOP
        EXECUTE format('CREATE TABLE IF NOT EXISTS payments_%s PARTITION OF payments FOR VALUES FROM (%s) TO (%s)',
          day, day * 86400, (day + 1) * 86400);
      END LOOP;
    END $$;
`;
