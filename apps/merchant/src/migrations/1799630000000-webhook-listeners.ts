import type { MigrationInterface, QueryRunner } from 'typeorm';

export class WebhookListeners1799630000000 implements MigrationInterface {
  readonly name = 'WebhookListeners1799630000000';

  async up(runner: QueryRunner): Promise<void> {
    // Until when messages are recorded without a URL. No default: no row is rewritten.
    await runner.query('ALTER TABLE webhook_endpoints ADD COLUMN listened_until timestamptz');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE webhook_endpoints DROP COLUMN listened_until');
  }
}
