import { IndexMigration } from '@tollbridge/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class PayLinkForms1801400100000 implements MigrationInterface {
  readonly name = 'PayLinkForms1801400100000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(forms);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(previous);
  }
}

// Every existing row satisfies the wider checks, so they need not read the table.
const forms = `
  ALTER TABLE paylink_payments
    -- Sum of the other transfers that complete this one, and the payment that this one completes.
    ADD COLUMN parts_amount numeric(78, 0),
    ADD COLUMN part_of uuid,
    -- A payment by the checkout: tx_hash is then 'order:' and the id of the order, since one transaction may settle several.
    ADD COLUMN order_id uuid,
    ADD COLUMN settle_tx text,
    DROP CONSTRAINT paylink_payments_status_check;
  ALTER TABLE paylink_payments
    ADD CONSTRAINT paylink_payments_status_check CHECK
      (status IN ('pending', 'unverifiable', 'counted', 'partial', 'excess', 'late', 'inactive', 'rejected')) NOT VALID,
    ADD CONSTRAINT paylink_payments_order CHECK ((order_id IS NULL) = (settle_tx IS NULL)) NOT VALID,
    ADD CONSTRAINT paylink_payments_parts_amount_check CHECK (parts_amount > 0) NOT VALID;
  ALTER TABLE payment_requests ADD COLUMN paylink_id uuid;
`;

const previous = `
  ALTER TABLE payment_requests DROP COLUMN paylink_id;
  DELETE FROM paylink_payments WHERE status = 'partial' OR order_id IS NOT NULL;
  ALTER TABLE paylink_payments
    DROP CONSTRAINT paylink_payments_parts_amount_check,
    DROP CONSTRAINT paylink_payments_order,
    DROP CONSTRAINT paylink_payments_status_check;
  ALTER TABLE paylink_payments
    ADD CONSTRAINT paylink_payments_status_check CHECK
      (status IN ('pending', 'unverifiable', 'counted', 'excess', 'late', 'inactive', 'rejected')),
    DROP COLUMN settle_tx,
    DROP COLUMN order_id,
    DROP COLUMN part_of,
    DROP COLUMN parts_amount;
`;

/** Parts of a payment that wait for the others. */
export class PartsOfPayLinks1801400200000 extends IndexMigration {
  readonly name = 'PartsOfPayLinks1801400200000';

  constructor() {
    super('paylink_payments_partial', "paylink_payments (paylink_id) WHERE status = 'partial'");
  }
}

/** Payments by the checkout, by the transaction that a payer reports. */
export class CheckoutsByTransaction1801400300000 extends IndexMigration {
  readonly name = 'CheckoutsByTransaction1801400300000';

  constructor() {
    super('paylink_payments_settled', 'paylink_payments (paylink_id, settle_tx) WHERE settle_tx IS NOT NULL');
  }
}

/** The requests that merchants have created themselves. */
export class OwnPaymentRequests1801400400000 extends IndexMigration {
  readonly name = 'OwnPaymentRequests1801400400000';

  constructor() {
    super(
      'payment_requests_own',
      'payment_requests (wallet, created_at DESC, id DESC) WHERE paylink_id IS NULL',
    );
  }
}

/** Checkouts of PayLinks, to delete those without a payment. */
export class PayLinkCheckouts1801400500000 extends IndexMigration {
  readonly name = 'PayLinkCheckouts1801400500000';

  constructor() {
    super('payment_requests_paylink', 'payment_requests (created_at) WHERE paylink_id IS NOT NULL');
  }
}

/** Checkouts of a PayLink, which is kept while it has any. */
export class CheckoutsOfPayLink1801400600000 extends IndexMigration {
  readonly name = 'CheckoutsOfPayLink1801400600000';

  constructor() {
    super('payment_requests_of_paylink', 'payment_requests (paylink_id) WHERE paylink_id IS NOT NULL');
  }
}
