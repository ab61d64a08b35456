import type { MigrationInterface, QueryRunner } from 'typeorm';

export class DashboardAndLedger1796600000000 implements MigrationInterface {
  readonly name = 'DashboardAndLedger1796600000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(dashboard);
    await runner.query(ledger);
    await runner.query(ledgerRules);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE ledger_waiting, ledger_checks, ledger_sums, ledger_entries, ledger_transactions, ledgers;
      DROP FUNCTION ledger_refuse_change, ledger_require_balance;
      DROP TABLE dashboard_sums, dashboard_transactions, dashboard_state;
    `);
  }
}

const dashboard = `
  -- Which picture of the events is shown, and which one is being made anew beside it. Every change is written into both.
  CREATE TABLE dashboard_state (
    singleton boolean PRIMARY KEY DEFAULT true CHECK (singleton),
    active integer NOT NULL DEFAULT 1,
    building integer CHECK (building > active),
    -- No number is used twice.
    last_generation integer NOT NULL DEFAULT 1
  );
  INSERT INTO dashboard_state DEFAULT VALUES;

  CREATE TABLE dashboard_transactions (
    generation integer NOT NULL,
    id uuid NOT NULL,
    wallet text NOT NULL,
    tx_type text NOT NULL CHECK (tx_type IN ('payment', 'refund')),
    order_id uuid,
    -- Of the order or payment that it follows from: what is older changes nothing but the three marks below.
    version integer NOT NULL,
    outcome text NOT NULL CHECK (outcome IN ('pending', 'completed', 'failed', 'expired')),
    -- Marks that any event can set and none takes away: made by the merchant himself; money came; it was completed once.
    is_own boolean NOT NULL,
    is_seen boolean NOT NULL,
    was_completed boolean NOT NULL,
    -- What follows from these, to be searched by.
    status text NOT NULL GENERATED ALWAYS AS (
      CASE WHEN was_completed AND outcome <> 'completed' THEN 'reversed' ELSE outcome END) STORED,
    is_shown boolean NOT NULL GENERATED ALWAYS AS (is_own OR is_seen) STORED,
    amount numeric(78, 0) NOT NULL,
    fee_amount numeric(78, 0) NOT NULL,
    token text NOT NULL,
    network text NOT NULL,
    value_usd numeric,
    tx_hash text NOT NULL,
    counterparty text,
    description text NOT NULL,
    late boolean NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    PRIMARY KEY (generation, id)
  );
  CREATE INDEX dashboard_transactions_page ON dashboard_transactions
    (generation, wallet, created_at DESC, id DESC) WHERE is_shown;
  CREATE INDEX dashboard_transactions_status ON dashboard_transactions
    (generation, wallet, status, created_at DESC, id DESC) WHERE is_shown;
  CREATE INDEX dashboard_transactions_token ON dashboard_transactions
    (generation, wallet, token, created_at DESC, id DESC) WHERE is_shown;
  CREATE INDEX dashboard_transactions_network ON dashboard_transactions
    (generation, wallet, network, created_at DESC, id DESC) WHERE is_shown;
  CREATE INDEX dashboard_transactions_others ON dashboard_transactions
    (generation, wallet, tx_type, created_at DESC, id DESC) WHERE is_shown AND tx_type <> 'payment';

  -- Of each day in UTC, and under the day -infinity of all days together, which spares reading years for a total. A row may
  -- be below zero for as long as its parts come out of order within a transaction, so nothing forbids it.
  CREATE TABLE dashboard_sums (
    generation integer NOT NULL,
    wallet text NOT NULL,
    day date NOT NULL,
    network text NOT NULL,
    token text NOT NULL,
    completed bigint NOT NULL,
    unsuccessful bigint NOT NULL,
    unpriced bigint NOT NULL,
    amount numeric NOT NULL,
    value_usd numeric NOT NULL,
    PRIMARY KEY (generation, wallet, day, network, token)
  );
`;

const ledger = `
  -- One per wallet; its row is the lock under which it is written.
  CREATE TABLE ledgers (
    wallet text PRIMARY KEY,
    last_seq bigint NOT NULL DEFAULT 0,
    last_hash bytea NOT NULL DEFAULT decode(repeat('00', 32), 'hex') CHECK (octet_length(last_hash) = 32),
    -- A check found a fault in this part: nothing is posted until it holds again.
    halted_at timestamptz,
    halted_segment bigint,
    CHECK ((halted_at IS NULL) = (halted_segment IS NULL))
  );

  CREATE INDEX ledgers_halted ON ledgers (halted_at) WHERE halted_at IS NOT NULL;

  CREATE TABLE ledger_transactions (
    wallet text NOT NULL REFERENCES ledgers,
    seq bigint NOT NULL CHECK (seq > 0),
    id uuid NOT NULL UNIQUE,
    kind text NOT NULL CHECK (kind IN ('payment', 'refund', 'reversal', 'correction')),
    -- What it is about, and which change of it: each is posted once.
    reference text NOT NULL,
    version integer NOT NULL,
    occurred_at timestamptz NOT NULL,
    previous_hash bytea NOT NULL CHECK (octet_length(previous_hash) = 32),
    hash bytea NOT NULL CHECK (octet_length(hash) = 32),
    PRIMARY KEY (wallet, seq),
    UNIQUE (reference, version)
  );

  CREATE TABLE ledger_entries (
    wallet text NOT NULL,
    seq bigint NOT NULL,
    position smallint NOT NULL CHECK (position > 0),
    account text NOT NULL CHECK (account IN ('payer', 'merchant:received', 'fees', 'refunds')),
    chain text NOT NULL,
    token text NOT NULL,
    amount numeric(78, 0) NOT NULL CHECK (amount <> 0),
    PRIMARY KEY (wallet, seq, position),
    FOREIGN KEY (wallet, seq) REFERENCES ledger_transactions
  );

  -- The sums of each part of 5,000 transactions, kept as they are posted and checked against the entries.
  CREATE TABLE ledger_sums (
    wallet text NOT NULL,
    segment bigint NOT NULL,
    chain text NOT NULL,
    token text NOT NULL,
    debits numeric NOT NULL,
    credits numeric NOT NULL,
    received numeric NOT NULL,
    fees numeric NOT NULL,
    refunds numeric NOT NULL,
    entries bigint NOT NULL,
    transactions bigint NOT NULL,
    PRIMARY KEY (wallet, segment, chain, token)
  );

  CREATE TABLE ledger_checks (
    wallet text NOT NULL,
    segment bigint NOT NULL,
    checked_at timestamptz,
    check_at timestamptz NOT NULL,
    PRIMARY KEY (wallet, segment)
  );
  CREATE INDEX ledger_checks_due ON ledger_checks (check_at);

  -- What would be posted if the ledger were not halted: of each reference the newest.
  CREATE TABLE ledger_waiting (
    wallet text NOT NULL,
    reference text NOT NULL,
    version integer NOT NULL,
    occurred_at timestamptz NOT NULL,
    position json NOT NULL,
    PRIMARY KEY (wallet, reference)
  );
`;

const ledgerRules = `
  CREATE FUNCTION ledger_require_balance() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF EXISTS (SELECT FROM ledger_entries e WHERE e.wallet = NEW.wallet AND e.seq = NEW.seq
                 GROUP BY e.chain, e.token HAVING sum(e.amount) <> 0)
         OR NOT EXISTS (SELECT FROM ledger_entries e WHERE e.wallet = NEW.wallet AND e.seq = NEW.seq) THEN
        RAISE EXCEPTION 'transaction % of the ledger of % does not sum to zero', NEW.seq, NEW.wallet
          USING ERRCODE = 'check_violation', CONSTRAINT = 'ledger_balance';
      END IF;
      RETURN NULL;
    END $$;
  -- At the commit, when all entries are there. The one on transactions refuses those without entries.
  CREATE CONSTRAINT TRIGGER ledger_balance AFTER INSERT OR UPDATE ON ledger_entries
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION ledger_require_balance();
  CREATE CONSTRAINT TRIGGER ledger_balance AFTER INSERT ON ledger_transactions
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION ledger_require_balance();

  CREATE FUNCTION ledger_refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      RAISE EXCEPTION 'the ledger is only added to: % of % is refused', TG_OP, TG_TABLE_NAME
        USING ERRCODE = 'restrict_violation';
    END $$;
  CREATE TRIGGER ledger_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger_transactions
    FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse_change();
  CREATE TRIGGER ledger_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger_entries
    FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse_change();
`;
