import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Payouts1796850000001 implements MigrationInterface {
  readonly name = 'Payouts1796850000001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(payouts);
    await runner.query(recipients);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE payout_recipients');
    await runner.query('DROP TABLE payouts');
  }
}

const payouts = `
  CREATE TABLE payouts (
    -- Version 7.
    id uuid PRIMARY KEY,
    wallet text NOT NULL CHECK (wallet <> ''),
    key_id uuid,
    chain text NOT NULL,
    token text NOT NULL,
    -- Of the token, as it was then: what amounts in whole tokens are made with.
    decimals smallint NOT NULL CHECK (decimals BETWEEN 0 AND 36),
    total_atomic numeric(78,0) NOT NULL CHECK (total_atomic > 0),
    fee_atomic numeric(78,0) NOT NULL CHECK (fee_atomic > 0),
    estimated_gas numeric(78,0) NOT NULL,
    gas_source text NOT NULL CHECK (gas_source IN ('simulated', 'assumed')),
    warnings json NOT NULL,
    warning_count integer NOT NULL,
    status text NOT NULL CHECK (status = 'pending'),
    created_at timestamptz NOT NULL
  );
`;

const recipients = `
  CREATE TABLE payout_recipients (
    payout_id uuid NOT NULL REFERENCES payouts,
    -- As it was given.
    place integer NOT NULL CHECK (place >= 0),
    wallet text NOT NULL,
    address text NOT NULL,
    -- How the address begins and ends.
    look text NOT NULL,
    amount_atomic numeric(78,0) NOT NULL CHECK (amount_atomic > 0),
    PRIMARY KEY (payout_id, place)
  );
  CREATE INDEX payout_recipients_look ON payout_recipients (wallet, look, address);
`;
