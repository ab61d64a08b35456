import { IndexMigration } from '@tollbridge/database';

// The first 128 characters: an index row has a largest size, and descriptions do not.
const target = (column: string, more = '') =>
  `dashboard_transactions (generation, wallet, lower(left(${column}, 128)) text_pattern_ops) WHERE is_shown${more}`;

export class SearchByHash1798400200000 extends IndexMigration {
  readonly name = 'SearchByHash1798400200000';

  constructor() {
    super('dashboard_transactions_hash', target('tx_hash', " AND tx_hash <> ''"));
  }
}

export class SearchByCounterparty1798400300000 extends IndexMigration {
  readonly name = 'SearchByCounterparty1798400300000';

  constructor() {
    super('dashboard_transactions_payer', target('counterparty'));
  }
}

export class SearchByDescription1798400400000 extends IndexMigration {
  readonly name = 'SearchByDescription1798400400000';

  constructor() {
    super('dashboard_transactions_text', target('description'));
  }
}

export class SearchByOrder1798400500000 extends IndexMigration {
  readonly name = 'SearchByOrder1798400500000';

  constructor() {
    super(
      'dashboard_transactions_order',
      'dashboard_transactions (generation, order_id) WHERE is_shown AND order_id IS NOT NULL',
    );
  }
}
