import { dropIdempotencyTable, dropOutboxTables, idempotencyTable, outboxTables } from '@tollbridge/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Purchases1796800000000 implements MigrationInterface {
  readonly name = 'Purchases1796800000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(outboxTables);
    await runner.query(idempotencyTable);
    await runner.query(purchases);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE purchases');
    await runner.query(dropIdempotencyTable);
    await runner.query(dropOutboxTables);
  }
}

const purchases = `
  CREATE TABLE purchases (
    -- Version 7. It is the reference under which the provider is asked.
    id uuid PRIMARY KEY,
    -- The wallet that buys, and the key that it did so with; null without a key.
    wallet text NOT NULL CHECK (wallet <> ''),
    key_id uuid,
    kind text NOT NULL,
    -- The buyer's own name for it, or what is made of his Idempotency-Key: under it one purchase is made.
    reference text NOT NULL,
    -- What was asked for; no secret.
    terms json NOT NULL,
    status text NOT NULL CHECK (status IN ('buying', 'unknown', 'pending', 'completed', 'failed', 'refunded', 'refused')),
    -- The provider's own id.
    provider_id text,
    -- What the provider says of it; no secret.
    result json,
    -- Why nothing was bought, as it was told: code, sentence, details.
    refusal json,
    value_usd numeric,
    -- Until when the provider may still be asked by who claimed it.
    lease_until timestamptz,
    -- When its provider is asked what became of it; null when nothing more can become of it.
    check_at timestamptz,
    checks integer NOT NULL DEFAULT 0,
    version integer NOT NULL DEFAULT 1,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    UNIQUE (wallet, kind, reference),
    CONSTRAINT purchases_refused CHECK ((status = 'refused') = (refusal IS NOT NULL)),
    CONSTRAINT purchases_leased CHECK ((status = 'buying') = (lease_until IS NOT NULL)),
    CONSTRAINT purchases_ended CHECK (status IN ('buying', 'unknown', 'pending') OR check_at IS NULL)
  );
  CREATE INDEX purchases_due ON purchases (check_at) WHERE check_at IS NOT NULL;
  CREATE INDEX purchases_wallet ON purchases (wallet, id DESC);
`;
