import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Cards1796840000000 implements MigrationInterface {
  readonly name = 'Cards1796840000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(cards);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE laso_payments, laso_cards, lithic_cards');
  }
}

// No number stands here: it is made of the id.
const cards = `
  CREATE TABLE lithic_cards (
    token uuid PRIMARY KEY,
    type text NOT NULL,
    state text NOT NULL,
    memo text NOT NULL,
    spend_limit integer NOT NULL,
    spend_limit_duration text NOT NULL,
    -- Under the same key and body the same card is answered.
    idempotency_key text UNIQUE,
    body json NOT NULL,
    created_at timestamptz NOT NULL
  );
  CREATE INDEX lithic_cards_created ON lithic_cards (created_at DESC, token);

  CREATE TABLE laso_cards (
    card_id text PRIMARY KEY,
    user_id text NOT NULL,
    amount_cents integer NOT NULL,
    created_at timestamptz NOT NULL
  );
  CREATE INDEX laso_cards_user ON laso_cards (user_id, created_at DESC);

  -- Signed transfers that were carried out: the token takes each nonce of a payer once.
  CREATE TABLE laso_payments (
    payer text NOT NULL,
    nonce text NOT NULL,
    amount_atomic numeric(78, 0) NOT NULL,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (payer, nonce)
  );
`;
