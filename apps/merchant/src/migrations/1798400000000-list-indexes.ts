import { IndexMigration } from '@tollbridge/database';

// The stored part of the status: whether an open request has expired follows from the clock.
const stage = `(CASE WHEN completed_payments > 0 THEN 'completed' WHEN seen_payments > 0 THEN 'processing'
      WHEN canceled_at IS NOT NULL THEN 'canceled' ELSE 'open' END)`;

export class PaymentRequestsOfWallet1798400000000 extends IndexMigration {
  readonly name = 'PaymentRequestsOfWallet1798400000000';

  constructor() {
    super('payment_requests_wallet', 'payment_requests (wallet, created_at DESC, id DESC)');
  }
}

export class PaymentRequestStages1798400100000 extends IndexMigration {
  readonly name = 'PaymentRequestStages1798400100000';

  constructor() {
    super('payment_requests_stage', `payment_requests (wallet, ${stage}, created_at DESC, id DESC)`);
  }
}
