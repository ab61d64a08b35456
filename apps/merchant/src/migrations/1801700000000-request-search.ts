import { IndexMigration } from '@tollbridge/database';

export class SearchByRequest1801700000000 extends IndexMigration {
  readonly name = 'SearchByRequest1801700000000';

  constructor() {
    super(
      'payment_requests_text',
      'payment_requests (wallet, lower(left(description, 128)) text_pattern_ops)',
    );
  }
}
