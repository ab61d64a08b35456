import type { MigrationInterface, QueryRunner } from 'typeorm';

export class NamedPurchases1796862000000 implements MigrationInterface {
  readonly name = 'NamedPurchases1796862000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(index);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX purchases_provider');
  }
}

const index = `
  -- What a provider's webhook is about, by the provider's own id.
  CREATE INDEX purchases_provider ON purchases (provider_id) WHERE provider_id IS NOT NULL;
`;
