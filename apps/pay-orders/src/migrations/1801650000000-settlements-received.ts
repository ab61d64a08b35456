import { IndexMigration } from '@tollbridge/database';

export class SettlementsReceived1801650000000 extends IndexMigration {
  readonly name = 'SettlementsReceived1801650000000';

  constructor() {
    super(
      'x402_settlements_received',
      `x402_settlements (network, pay_to, updated_at) WHERE state = 'final'`,
    );
  }
}
