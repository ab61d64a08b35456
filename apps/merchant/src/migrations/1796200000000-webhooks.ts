import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Webhooks1796200000000 implements MigrationInterface {
  readonly name = 'Webhooks1796200000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(endpoints);
    await runner.query(messages);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE webhook_messages, webhook_endpoints');
  }
}

const endpoints = `
  CREATE TABLE webhook_endpoints (
    wallet text PRIMARY KEY CHECK (wallet <> ''),
    -- Null while the settings name none; the row stays, and with it the secret.
    url text CHECK (length(url) <= 2048),
    -- Sealed: worth nothing without the pepper, which is not in this database.
    secret bytea NOT NULL,
    secret_created_at timestamptz NOT NULL,
    -- The secret before the last change of it signs too until then.
    previous_secret bytea,
    previous_secret_until timestamptz,
    failures_in_a_row integer NOT NULL DEFAULT 0,
    -- Nothing is sent before: a circuit that is open, or what the receiver asked for by Retry-After.
    not_before timestamptz NOT NULL,
    -- It answered 410.
    gone_at timestamptz,
    -- Who sends to it now, and until when nobody else does.
    lease uuid,
    leased_until timestamptz,
    created_at timestamptz NOT NULL,
    CONSTRAINT webhook_endpoints_previous CHECK ((previous_secret IS NULL) = (previous_secret_until IS NULL)),
    CONSTRAINT webhook_endpoints_lease CHECK ((lease IS NULL) = (leased_until IS NULL))
  );
`;

const messages = `
  CREATE TABLE webhook_messages (
    -- The webhook-id of every attempt: msg_ and a uuid whose beginning is its time.
    id text PRIMARY KEY,
    wallet text NOT NULL,
    type text NOT NULL,
    -- The very bytes that are signed and sent.
    payload text NOT NULL CHECK (octet_length(payload) <= 1000000),
    status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'delivered', 'failing', 'parked')),
    attempts integer NOT NULL DEFAULT 0,
    -- The last attempts, oldest first: {at, ms, status, reason}.
    log jsonb NOT NULL DEFAULT '[]',
    -- A replay begins the schedule again.
    schedule_from timestamptz NOT NULL,
    schedule_attempts integer NOT NULL DEFAULT 0,
    replays integer NOT NULL DEFAULT 0,
    next_attempt_at timestamptz,
    created_at timestamptz NOT NULL,
    CONSTRAINT webhook_messages_waiting CHECK ((next_attempt_at IS NULL) = (status IN ('delivered', 'parked')))
  );
  -- The queue of each endpoint.
  CREATE INDEX webhook_messages_queue ON webhook_messages (wallet, next_attempt_at, id)
    WHERE next_attempt_at IS NOT NULL;
  CREATE INDEX webhook_messages_old ON webhook_messages (schedule_from) WHERE next_attempt_at IS NOT NULL;
  -- The lists.
  CREATE INDEX webhook_messages_wallet ON webhook_messages (wallet, id DESC);
  CREATE INDEX webhook_messages_type ON webhook_messages (wallet, type, id DESC);
  CREATE INDEX webhook_messages_status ON webhook_messages (wallet, status, id DESC) WHERE status <> 'delivered';
`;
