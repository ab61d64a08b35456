import type { MigrationInterface, QueryRunner } from 'typeorm';

export class ApprovalLists1797300000000 implements MigrationInterface {
  readonly name = 'ApprovalLists1797300000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(lists);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX approvals_created, approvals_status');
  }
}

const lists = `
  -- Anybody may ask for the newest: of all, and of those in one state.
  CREATE INDEX approvals_created ON approvals (created_at DESC, id DESC);
  CREATE INDEX approvals_status ON approvals (status, created_at DESC, id DESC);
`;
