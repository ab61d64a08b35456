import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Mail1796820000000 implements MigrationInterface {
  readonly name = 'Mail1796820000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(tables);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE agent_inboxes, agent_addresses');
  }
}

const tables = `
  -- Whose an inbox is: the provider knows one customer, which is this deployment.
  CREATE TABLE agent_inboxes (
    inbox_id text PRIMARY KEY,
    wallet text NOT NULL CHECK (wallet <> ''),
    name text NOT NULL,
    created_at timestamptz NOT NULL
  );

  CREATE TABLE agent_addresses (
    address text PRIMARY KEY,
    wallet text NOT NULL CHECK (wallet <> ''),
    agent_id text NOT NULL,
    domain text NOT NULL,
    created_at timestamptz NOT NULL,
    UNIQUE (wallet, agent_id, domain)
  );
`;
