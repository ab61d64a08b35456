import { createIndexConcurrently } from '@tollbridge/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

// The first 128 characters: an index row has a largest size, and descriptions do not.
const target = (column: string, more = '') =>
  `dashboard_transactions (generation, wallet, lower(left(${column}, 128)) text_pattern_ops) WHERE is_shown${more}`;

export class SearchByHash1798400200000 implements MigrationInterface {
  readonly name = 'SearchByHash1798400200000';
  readonly transaction = false as const;

  up(runner: QueryRunner): Promise<void> {
    const hashes = target('tx_hash', " AND tx_hash <> ''");
    return createIndexConcurrently(runner, 'dashboard_transactions_hash', hashes);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX dashboard_transactions_hash');
  }
}

export class SearchByCounterparty1798400300000 implements MigrationInterface {
  readonly name = 'SearchByCounterparty1798400300000';
  readonly transaction = false as const;

  up(runner: QueryRunner): Promise<void> {
    return createIndexConcurrently(runner, 'dashboard_transactions_payer', target('counterparty'));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX dashboard_transactions_payer');
  }
}

export class SearchByDescription1798400400000 implements MigrationInterface {
  readonly name = 'SearchByDescription1798400400000';
  readonly transaction = false as const;

  up(runner: QueryRunner): Promise<void> {
    return createIndexConcurrently(runner, 'dashboard_transactions_text', target('description'));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX dashboard_transactions_text');
  }
}

export class SearchByOrder1798400500000 implements MigrationInterface {
  readonly name = 'SearchByOrder1798400500000';
  readonly transaction = false as const;

  up(runner: QueryRunner): Promise<void> {
    const orders = 'dashboard_transactions (generation, order_id) WHERE is_shown AND order_id IS NOT NULL';
    return createIndexConcurrently(runner, 'dashboard_transactions_order', orders);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX dashboard_transactions_order');
  }
}
