import { IndexMigration } from '@tollbridge/database';

export class SalesStuck1800479000000 extends IndexMigration {
  readonly name = 'SalesStuck1800479000000';

  constructor() {
    super('sales_stuck', `sales (created_at) WHERE state = 'stuck'`);
  }
}
