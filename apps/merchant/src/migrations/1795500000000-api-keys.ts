import { dropOutboxTables, outboxTables } from '@tollbridge/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class ApiKeys1795500000000 implements MigrationInterface {
  readonly name = 'ApiKeys1795500000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(apiKeys);
    await runner.query(outboxTables);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(dropOutboxTables);
    await runner.query('DROP TABLE api_keys');
  }
}

const apiKeys = `
  CREATE TABLE api_keys (
    id uuid PRIMARY KEY,
    -- The wallet that it belongs to.
    owner text NOT NULL CHECK (owner <> ''),
    label text NOT NULL,
    -- The publishable half, as it is shown, and its SHA-256, by which it is looked up.
    key text NOT NULL UNIQUE,
    key_digest bytea NOT NULL UNIQUE CHECK (octet_length(key_digest) = 32),
    -- All that is kept of the secret: an HMAC, worth nothing without the pepper, which is not in this database.
    secret_hash bytea NOT NULL UNIQUE CHECK (octet_length(secret_hash) = 32),
    -- The secret before the last change of it is taken until then.
    previous_secret_hash bytea UNIQUE CHECK (octet_length(previous_secret_hash) = 32),
    previous_secret_until timestamptz,
    permissions text[] NOT NULL CHECK (permissions <@ ARRAY['read', 'pay', 'write']),
    plan text NOT NULL DEFAULT 'free' CHECK (plan IN ('free', 'pro', 'enterprise')),
    -- Instead of the plan's own numbers.
    per_minute integer CHECK (per_minute > 0),
    burst integer CHECK (burst > 0),
    environment text NOT NULL CHECK (environment IN ('sandbox', 'test', 'production')),
    -- US dollars; null is no bound.
    monthly_budget numeric CHECK (monthly_budget >= 0),
    max_per_tx numeric CHECK (max_per_tx >= 0),
    enabled boolean NOT NULL DEFAULT true,
    deleted_at timestamptz,
    version integer NOT NULL DEFAULT 1,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    CONSTRAINT api_keys_rate CHECK ((per_minute IS NULL) = (burst IS NULL)),
    CONSTRAINT api_keys_previous_secret CHECK ((previous_secret_hash IS NULL) = (previous_secret_until IS NULL))
  );
  CREATE INDEX api_keys_owner ON api_keys (owner, created_at DESC, id DESC) WHERE deleted_at IS NULL;
`;
