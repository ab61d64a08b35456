import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Reloadly1796810000000 implements MigrationInterface {
  readonly name = 'Reloadly1796810000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(transactions);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE reloadly_transactions');
  }
}

const transactions = `
  -- What was bought from the simulated provider of gift cards, airtime and bills.
  CREATE TABLE reloadly_transactions (
    id bigint GENERATED ALWAYS AS IDENTITY (START WITH 10001) PRIMARY KEY,
    api text NOT NULL CHECK (api IN ('giftcards', 'topups', 'utilities')),
    -- The buyer's reference. Not unique: the provider's check of it is not atomic, and so it must be here.
    identifier text,
    body json NOT NULL,
    -- In hundred-thousandths of a dollar.
    cost numeric(20, 0) NOT NULL,
    -- How far it is until it settles, and from then on.
    opens text NOT NULL,
    ends text NOT NULL,
    settles_at timestamptz NOT NULL,
    codes_at timestamptz NOT NULL,
    created_at timestamptz NOT NULL
  );
  CREATE INDEX reloadly_transactions_identifier ON reloadly_transactions (api, identifier);
`;
