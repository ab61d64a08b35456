import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Cards1796840000000 implements MigrationInterface {
  readonly name = 'Cards1796840000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(cards);
    await runner.query(reveals);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE card_reveals; DROP FUNCTION card_reveals_refuse_change; DROP TABLE cards');
  }
}

const cards = `
  -- Whose each card is. Of its number nothing but the last four digits is ever kept, of its code nothing.
  CREATE TABLE cards (
    -- That of the purchase which it came of.
    id uuid PRIMARY KEY,
    wallet text NOT NULL CHECK (wallet <> ''),
    issuer text NOT NULL CHECK (issuer IN ('lithic', 'laso')),
    issuer_card_id text NOT NULL CHECK (length(issuer_card_id) BETWEEN 1 AND 128),
    amount_cents integer NOT NULL CHECK (amount_cents > 0),
    state text NOT NULL CHECK (state IN ('pending', 'open', 'paused', 'closed')),
    last_four text CHECK (last_four ~ '^[0-9]{4}$'),
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    -- One card is never given to two.
    UNIQUE (issuer, issuer_card_id)
  );
  CREATE INDEX cards_wallet ON cards (wallet, id DESC);
`;

const reveals = `
  -- Each time that a number was shown: to whom, by which key, in which request. Written before it is shown, never changed.
  CREATE TABLE card_reveals (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    card_id uuid NOT NULL REFERENCES cards,
    wallet text NOT NULL,
    key_id uuid,
    request_id text NOT NULL,
    shown_at timestamptz NOT NULL
  );
  CREATE INDEX card_reveals_card ON card_reveals (card_id, shown_at);

  CREATE FUNCTION card_reveals_refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      RAISE EXCEPTION 'what was shown is only added to: % of % is refused', TG_OP, TG_TABLE_NAME
        USING ERRCODE = 'restrict_violation';
    END $$;
  CREATE TRIGGER card_reveals_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON card_reveals
    FOR EACH STATEMENT EXECUTE FUNCTION card_reveals_refuse_change();
`;
