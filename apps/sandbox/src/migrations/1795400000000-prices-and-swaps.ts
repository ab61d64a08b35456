import type { MigrationInterface, QueryRunner } from 'typeorm';
import { seedPrices } from '../prices/price-table';

export class PricesAndSwaps1795400000000 implements MigrationInterface {
  readonly name = 'PricesAndSwaps1795400000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(prices);
    await runner.query('INSERT INTO prices (symbol, usd) SELECT key, value FROM json_each_text($1)', [
      JSON.stringify(seedPrices),
    ]);
    await runner.query(swaps);
    await runner.query(payments);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE swap_payments, swap_deposits, swaps, prices');
  }
}

const prices = `
  CREATE TABLE prices (
    symbol text PRIMARY KEY,
    usd text NOT NULL,
    -- Null while the price counts as of now.
    frozen_at timestamptz
  );
`;

const swaps = `
  -- Committed quotes of the simulator of cross-chain swaps.
  CREATE TABLE swaps (
    id uuid PRIMARY KEY,
    deposit_address text NOT NULL,
    -- Empty where the address is the quote's own.
    deposit_memo text NOT NULL,
    -- Of deposit addresses on local nodes; null elsewhere, where nobody has it.
    deposit_key text,
    origin_chain text NOT NULL,
    origin_symbol text NOT NULL,
    destination_chain text NOT NULL,
    destination_symbol text NOT NULL,
    response json NOT NULL,
    outcome text NOT NULL,
    status text NOT NULL DEFAULT 'PENDING_DEPOSIT' CHECK (status IN ('PENDING_DEPOSIT', 'KNOWN_DEPOSIT_TX',
      'INCOMPLETE_DEPOSIT', 'PROCESSING', 'SUCCESS', 'REFUNDED', 'FAILED')),
    deadline timestamptz NOT NULL,
    -- Until when late deposits are looked for.
    watched_until timestamptz NOT NULL,
    -- The origin chain's height at the quote: no deposit is older.
    from_height bigint NOT NULL DEFAULT 0,
    submitted_tx text,
    -- Since when anything is known to have arrived.
    seen_at timestamptz,
    -- What arrived in all, including what was swept since: at the head, and at the depth that counts.
    seen_amount numeric(78, 0) NOT NULL DEFAULT 0,
    deposited_amount numeric(78, 0) NOT NULL DEFAULT 0,
    -- What of it was decided on: anything above it came later and is refunded.
    handled_amount numeric(78, 0) NOT NULL DEFAULT 0,
    amount_in numeric(78, 0),
    amount_out numeric(78, 0),
    refund_reason text,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    UNIQUE (deposit_address, deposit_memo)
  );
  CREATE INDEX swaps_watched ON swaps (origin_chain, watched_until);
  CREATE INDEX swaps_undecided ON swaps (id)
    WHERE seen_amount > handled_amount OR deposited_amount > handled_amount OR submitted_tx IS NOT NULL;

  CREATE TABLE swap_deposits (
    swap_id uuid NOT NULL REFERENCES swaps,
    tx_hash text NOT NULL,
    seen_at timestamptz NOT NULL,
    PRIMARY KEY (swap_id, tx_hash)
  );
`;

const payments = `
  -- What the solver pays. The signed transaction is stored before it is sent, and sent again until it is mined, so a
  -- crash neither pays twice nor forgets.
  CREATE TABLE swap_payments (
    id bigserial PRIMARY KEY,
    swap_id uuid NOT NULL REFERENCES swaps,
    purpose text NOT NULL CHECK (purpose IN ('delivery', 'surplus', 'refund', 'late-refund', 'gas', 'sweep')),
    chain text NOT NULL,
    -- Null for the chain's coin.
    token text,
    sender text NOT NULL,
    recipient text NOT NULL,
    -- In a sweep all that is there when it is signed.
    amount numeric(78, 0) NOT NULL,
    state text NOT NULL DEFAULT 'planned' CHECK (state IN ('planned', 'signed', 'mined', 'dropped')),
    nonce bigint,
    raw text,
    tx_hash text,
    height bigint,
    CHECK (state IN ('planned', 'dropped') OR tx_hash IS NOT NULL)
  );
  CREATE INDEX swap_payments_swap ON swap_payments (swap_id, id);
  CREATE INDEX swap_payments_open ON swap_payments (id) WHERE state IN ('planned', 'signed');
  CREATE UNIQUE INDEX swap_payments_nonce ON swap_payments (chain, sender, nonce);
`;
