import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Mail1796820000000 implements MigrationInterface {
  readonly name = 'Mail1796820000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(tables);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE mail_messages, mail_sent, mailtm_accounts, agentmail_inboxes');
  }
}

const tables = `
  CREATE TABLE mailtm_accounts (
    id text PRIMARY KEY,
    address text NOT NULL UNIQUE,
    salt bytea NOT NULL,
    password_digest bytea NOT NULL,
    created_at timestamptz NOT NULL
  );

  CREATE TABLE agentmail_inboxes (
    inbox_id text PRIMARY KEY,
    display_name text,
    -- The caller's own key: the same one is the same inbox.
    client_id text UNIQUE,
    metadata json,
    created_at timestamptz NOT NULL
  );

  -- What arrived over SMTP, once for each mailbox.
  CREATE TABLE mail_messages (
    id text PRIMARY KEY,
    mailbox text NOT NULL,
    content json NOT NULL,
    -- As it was sent.
    source text NOT NULL,
    seen boolean NOT NULL DEFAULT false,
    received_at timestamptz NOT NULL
  );
  CREATE INDEX mail_messages_mailbox ON mail_messages (mailbox, received_at DESC, id);

  -- What callers of the providers have sent.
  CREATE TABLE mail_sent (
    id text PRIMARY KEY,
    provider text NOT NULL,
    -- Of its Idempotency-Key and whose it is; null without one.
    call text,
    -- Of the body: the same key with another one is refused.
    digest bytea NOT NULL,
    content json NOT NULL,
    last_event text NOT NULL,
    created_at timestamptz NOT NULL,
    UNIQUE (provider, call)
  );
`;
