import { IndexMigration } from '@tollbridge/database';

export class SalesTransaction1801610000000 extends IndexMigration {
  readonly name = 'SalesTransaction1801610000000';

  constructor() {
    super('sales_transaction', 'sales (transaction) WHERE transaction IS NOT NULL');
  }
}
