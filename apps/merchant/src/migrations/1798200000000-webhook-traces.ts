import type { MigrationInterface, QueryRunner } from 'typeorm';

export class WebhookTraces1798200000000 implements MigrationInterface {
  readonly name = 'WebhookTraces1798200000000';

  async up(runner: QueryRunner): Promise<void> {
    // The W3C trace of the change; null in messages of earlier releases. No default: no row is rewritten.
    await runner.query('ALTER TABLE webhook_messages ADD COLUMN traceparent text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE webhook_messages DROP COLUMN traceparent');
  }
}
