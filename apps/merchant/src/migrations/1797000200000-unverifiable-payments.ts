import type { MigrationInterface, QueryRunner } from 'typeorm';

export class UnverifiablePayments1797000200000 implements MigrationInterface {
  readonly name = 'UnverifiablePayments1797000200000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(constraints);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(previousConstraints);
  }
}

const drop = `
  ALTER TABLE paylink_payments
    DROP CONSTRAINT paylink_payments_status_check,
    DROP CONSTRAINT paylink_payments_decided,
    DROP CONSTRAINT paylink_payments_real;
`;

const constraints = `
  ${drop}
  -- 'unverifiable' waits for the merchant: it is not decided, and has no place among the transfers.
  ALTER TABLE paylink_payments
    ADD CONSTRAINT paylink_payments_status_check CHECK
      (status IN ('pending', 'unverifiable', 'counted', 'excess', 'late', 'inactive', 'rejected')),
    ADD CONSTRAINT paylink_payments_decided CHECK ((decided_at IS NULL) = (status IN ('pending', 'unverifiable'))),
    ADD CONSTRAINT paylink_payments_real CHECK
      (CASE WHEN status = 'unverifiable' THEN log_index IS NULL
       ELSE status IN ('pending', 'rejected') OR log_index IS NOT NULL END);
  CREATE INDEX paylink_payments_unverifiable ON paylink_payments (paylink_id) WHERE status = 'unverifiable';
`;

const previousConstraints = `
  DROP INDEX paylink_payments_unverifiable;
  DELETE FROM paylink_payments WHERE status = 'unverifiable';
  ${drop}
  ALTER TABLE paylink_payments
    ADD CONSTRAINT paylink_payments_status_check CHECK
      (status IN ('pending', 'counted', 'excess', 'late', 'inactive', 'rejected')),
    ADD CONSTRAINT paylink_payments_decided CHECK ((decided_at IS NULL) = (status = 'pending')),
    ADD CONSTRAINT paylink_payments_real CHECK (status IN ('pending', 'rejected') OR log_index IS NOT NULL);
`;
