import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Budgets1796300000000 implements MigrationInterface {
  readonly name = 'Budgets1796300000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(months);
    await runner.query(spends);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE key_spends, key_months');
  }
}

const months = `
  -- What each key has spent in a month (UTC): the sum of its spends that are reserved or captured. Whoever changes one
  -- of them locks this row first, and so the spends of one key happen one after another.
  CREATE TABLE key_months (
    key_id uuid NOT NULL REFERENCES api_keys,
    month text NOT NULL CHECK (month ~ '^[0-9]{4}-[0-9]{2}$'),
    used numeric NOT NULL DEFAULT 0 CHECK (used >= 0),
    -- Whether the owner was told that 80 % and all of the budget are spent.
    is_warned boolean NOT NULL DEFAULT false,
    is_reached boolean NOT NULL DEFAULT false,
    PRIMARY KEY (key_id, month)
  );
`;

const spends = `
  CREATE TABLE key_spends (
    -- What is spent on: the id of the order, or of the set of transactions.
    reference text PRIMARY KEY,
    key_id uuid NOT NULL REFERENCES api_keys,
    kind text NOT NULL CHECK (kind IN ('order', 'swap', 'purchase', 'topup', 'payout')),
    description text NOT NULL,
    -- US dollars; null when no price was known, which counts as nothing.
    value_usd numeric CHECK (value_usd >= 0),
    -- The month that it counts in.
    month text NOT NULL,
    status text NOT NULL CHECK (status IN ('reserved', 'captured', 'released')),
    -- Tries at it that have neither ended nor been given up.
    attempts text[] NOT NULL,
    -- Paid after it had been released.
    late boolean NOT NULL DEFAULT false,
    reserved_at timestamptz NOT NULL,
    ended_at timestamptz,
    -- When it is asked what became of it, if nobody says so before.
    check_at timestamptz,
    CONSTRAINT key_spends_ended CHECK ((status = 'reserved') = (ended_at IS NULL)),
    CONSTRAINT key_spends_checked CHECK ((status = 'reserved') = (check_at IS NOT NULL)),
    FOREIGN KEY (key_id, month) REFERENCES key_months
  );
  CREATE INDEX key_spends_key ON key_spends (key_id, reserved_at DESC, reference DESC);
  CREATE INDEX key_spends_due ON key_spends (check_at) WHERE check_at IS NOT NULL;
`;
