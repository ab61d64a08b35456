import { createIndexConcurrently } from '@tollbridge/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class StoreLogoHash1798400800000 implements MigrationInterface {
  readonly name = 'StoreLogoHash1798400800000';
  readonly transaction = false as const;

  up(runner: QueryRunner): Promise<void> {
    const target = 'settings (logo_hash) WHERE logo_hash IS NOT NULL';
    return createIndexConcurrently(runner, 'settings_logo_hash', target);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX settings_logo_hash');
  }
}
