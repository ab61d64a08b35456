import { IndexMigration } from '@tollbridge/database';

export class StoreLogoHash1798400800000 extends IndexMigration {
  readonly name = 'StoreLogoHash1798400800000';

  constructor() {
    super('settings_logo_hash', 'settings (logo_hash) WHERE logo_hash IS NOT NULL');
  }
}
