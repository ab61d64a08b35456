import { IndexMigration } from '@tollbridge/database';

export class PayoutsOfWallet1798400000000 extends IndexMigration {
  readonly name = 'PayoutsOfWallet1798400000000';

  constructor() {
    super('payouts_wallet', 'payouts (wallet, created_at DESC, id DESC)');
  }
}

export class PayoutsByState1798400100000 extends IndexMigration {
  readonly name = 'PayoutsByState1798400100000';

  constructor() {
    super('payouts_wallet_state', 'payouts (wallet, state, created_at DESC, id DESC)');
  }
}
