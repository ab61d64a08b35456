import { IndexMigration } from '@tollbridge/database';

export class SoldOffers1799677000000 extends IndexMigration {
  readonly name = 'SoldOffers1799677000000';

  constructor() {
    super('sales_offer', 'sales (offer_hash)');
  }
}
