import type { MigrationInterface, QueryRunner } from 'typeorm';

export class BridgeDeposits1795900000000 implements MigrationInterface {
  readonly name = 'BridgeDeposits1795900000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(deposits);
    await runner.query(payments);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(formerPayments);
    await runner.query('DROP TABLE bridge_deposits, bridge_cursors');
  }
}

const deposits = `
  -- What was given to the spoke pools of local chains.
  CREATE TABLE bridge_deposits (
    id bigserial PRIMARY KEY,
    origin_chain_id bigint NOT NULL,
    -- A pool that was deployed anew counts from zero again.
    spoke_pool text NOT NULL,
    deposit_id numeric(78, 0) NOT NULL,
    destination_chain_id numeric(78, 0) NOT NULL,
    tx_hash text NOT NULL,
    -- The event, in the form in which a fill names it.
    relay json NOT NULL,
    outcome text NOT NULL,
    status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'filling', 'filled', 'expired', 'refunding',
      'refunded')),
    -- Null without calls behind the fill.
    actions_succeeded boolean,
    fill_tx text,
    refund_tx text,
    seen_at timestamptz NOT NULL,
    expired_at timestamptz,
    UNIQUE (origin_chain_id, spoke_pool, deposit_id)
  );
  CREATE INDEX bridge_deposits_tx ON bridge_deposits (tx_hash);
  CREATE INDEX bridge_deposits_open ON bridge_deposits (id) WHERE status IN ('pending', 'expired');

  -- Up to which block each pool was looked at.
  CREATE TABLE bridge_cursors (
    chain_id bigint NOT NULL,
    spoke_pool text NOT NULL,
    height bigint NOT NULL,
    PRIMARY KEY (chain_id, spoke_pool)
  );
`;

const payments = `
  -- Fills and refunds of deposits are made as payments of swaps are: all of them share the solver's nonces.
  ALTER TABLE swap_payments
    ALTER COLUMN swap_id DROP NOT NULL,
    ADD COLUMN deposit_id bigint REFERENCES bridge_deposits,
    DROP CONSTRAINT swap_payments_purpose_check,
    ADD CONSTRAINT swap_payments_purpose_check CHECK (purpose IN ('delivery', 'surplus', 'refund', 'late-refund', 'gas',
      'sweep', 'fill', 'fill-approval', 'deposit-refund')),
    ADD CONSTRAINT swap_payments_owner_check CHECK ((swap_id IS NULL) <> (deposit_id IS NULL));
  CREATE INDEX swap_payments_deposit ON swap_payments (deposit_id) WHERE deposit_id IS NOT NULL;
`;

const formerPayments = `
  DELETE FROM swap_payments WHERE deposit_id IS NOT NULL;
  ALTER TABLE swap_payments
    DROP COLUMN deposit_id,
    ALTER COLUMN swap_id SET NOT NULL,
    DROP CONSTRAINT swap_payments_purpose_check,
    ADD CONSTRAINT swap_payments_purpose_check CHECK (purpose IN ('delivery', 'surplus', 'refund', 'late-refund', 'gas',
      'sweep'));
`;
