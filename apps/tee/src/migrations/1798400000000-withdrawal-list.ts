import { IndexMigration } from '@tollbridge/database';

export class WithdrawalsOfAccount1798400000000 extends IndexMigration {
  readonly name = 'WithdrawalsOfAccount1798400000000';

  constructor() {
    super('withdrawals_account', 'withdrawals (account, created_at DESC, id DESC)');
  }
}
