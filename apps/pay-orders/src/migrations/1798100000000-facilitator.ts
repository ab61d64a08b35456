import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Facilitator1798100000000 implements MigrationInterface {
  readonly name = 'Facilitator1798100000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(settlements);
    await runner.query(transactions);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE x402_transactions, x402_settlements');
  }
}

const settlements = `
  CREATE TABLE x402_settlements (
    id uuid PRIMARY KEY,
    network text NOT NULL,
    scheme text NOT NULL,
    -- Contract that holds the nonce of the authorization.
    contract text NOT NULL,
    payer text NOT NULL,
    authorization_nonce text NOT NULL,
    payload_hash text NOT NULL,
    payment_id text,
    token text NOT NULL,
    pay_to text NOT NULL,
    amount numeric(78, 0) NOT NULL CHECK (amount > 0),
    valid_before bigint NOT NULL,
    call_to text NOT NULL,
    call_data text NOT NULL,
    state text NOT NULL CHECK (state IN ('sent', 'settled', 'final', 'failed')),
    -- Account that pays for gas.
    sender text NOT NULL,
    sender_nonce bigint NOT NULL,
    -- The newest transaction; once settled, the one that paid.
    tx_hash text NOT NULL,
    reason text,
    since_height bigint NOT NULL,
    -- The call that was answered with success.
    answered_to text,
    check_at timestamptz,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    CONSTRAINT x402_settlements_authorization_key UNIQUE (network, contract, payer, authorization_nonce),
    CONSTRAINT x402_settlements_sender_nonce_key UNIQUE (network, sender, sender_nonce),
    CONSTRAINT x402_settlements_open CHECK ((state IN ('sent', 'settled')) = (check_at IS NOT NULL))
  );
  CREATE UNIQUE INDEX x402_settlements_payment_id ON x402_settlements (payer, payment_id)
    WHERE payment_id IS NOT NULL;
  -- A transaction pays one settlement.
  CREATE UNIQUE INDEX x402_settlements_paid_by ON x402_settlements (network, tx_hash)
    WHERE state IN ('settled', 'final');
  CREATE INDEX x402_settlements_recent ON x402_settlements (network, created_at);
  CREATE INDEX x402_settlements_due ON x402_settlements (check_at) WHERE check_at IS NOT NULL;
`;

const transactions = `
  -- Signed transactions, written before they are sent. Those of one settlement replace each other.
  CREATE TABLE x402_transactions (
    hash text PRIMARY KEY,
    settlement_id uuid NOT NULL CONSTRAINT x402_transactions_settlement_id_fkey REFERENCES x402_settlements,
    kind text NOT NULL CHECK (kind IN ('settle', 'cancel')),
    raw text NOT NULL,
    gas_limit bigint NOT NULL,
    max_fee numeric(78, 0) NOT NULL,
    tip numeric(78, 0) NOT NULL,
    created_at timestamptz NOT NULL
  );
  CREATE INDEX x402_transactions_settlement ON x402_transactions (settlement_id);
`;
