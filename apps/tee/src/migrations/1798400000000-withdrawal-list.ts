import { createIndexConcurrently } from '@tollbridge/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class WithdrawalsOfAccount1798400000000 implements MigrationInterface {
  readonly name = 'WithdrawalsOfAccount1798400000000';
  readonly transaction = false as const;

  up(runner: QueryRunner): Promise<void> {
    const target = 'withdrawals (account, created_at DESC, id DESC)';
    return createIndexConcurrently(runner, 'withdrawals_account', target);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX withdrawals_account');
  }
}
