import type { MigrationInterface, QueryRunner } from 'typeorm';
import { storeNameOf, type Settings } from '../settings/merchant-settings';

export class StoreNames1797030100000 implements MigrationInterface {
  readonly name = 'StoreNames1797030100000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(storeName);
    // Not in SQL: PostgreSQL reads no member of a JSON text that holds the escape of a null character anywhere.
    const named = (await runner.query(withName)) as { wallet: string; data: Settings }[];
    for (const { wallet, data } of named)
      await runner.query('UPDATE settings SET store_name = $2 WHERE wallet = $1', [
        wallet,
        storeNameOf(data),
      ]);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE settings DROP COLUMN store_name');
  }
}

const storeName = `
  -- The storeName of the settings as it is shown, so that a page reads a name and not 64 KiB.
  ALTER TABLE settings ADD COLUMN store_name text CHECK (store_name <> '' AND length(store_name) <= 64)
`;
const withName = `SELECT wallet, data FROM settings WHERE position('"storeName"' IN data::text) > 0`;
