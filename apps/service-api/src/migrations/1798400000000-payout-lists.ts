import { createIndexConcurrently } from '@tollbridge/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class PayoutsOfWallet1798400000000 implements MigrationInterface {
  readonly name = 'PayoutsOfWallet1798400000000';
  readonly transaction = false as const;

  up(runner: QueryRunner): Promise<void> {
    const target = 'payouts (wallet, created_at DESC, id DESC)';
    return createIndexConcurrently(runner, 'payouts_wallet', target);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX payouts_wallet');
  }
}

export class PayoutsByState1798400100000 implements MigrationInterface {
  readonly name = 'PayoutsByState1798400100000';
  readonly transaction = false as const;

  up(runner: QueryRunner): Promise<void> {
    const target = 'payouts (wallet, state, created_at DESC, id DESC)';
    return createIndexConcurrently(runner, 'payouts_wallet_state', target);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX payouts_wallet_state');
  }
}
