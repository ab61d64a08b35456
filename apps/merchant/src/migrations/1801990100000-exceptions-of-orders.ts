import { IndexMigration } from '@tollbridge/database';

export class ExceptionsOfOrders1801990100000 extends IndexMigration {
  readonly name = 'ExceptionsOfOrders1801990100000';

  constructor() {
    super('payment_exceptions_order', "payment_exceptions (order_id) WHERE status = 'open'");
  }
}
