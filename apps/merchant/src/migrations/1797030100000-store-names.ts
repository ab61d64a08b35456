import type { MigrationInterface, QueryRunner } from 'typeorm';
import { storeNameOf, type Settings } from '../settings/merchant-settings';

export class StoreNames1797030100000 implements MigrationInterface {
  readonly name = 'StoreNames1797030100000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(storeName);
    const names = await storeNames(runner);
    // In one statement, since the table stays locked until the end.
    await runner.query(setNames, [[...names.keys()], [...names.values()]]);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE settings DROP COLUMN store_name');
  }
}

// Settings have up to 64 KiB.
const pageLength = 200;

/** Not in SQL: PostgreSQL reads no member of a JSON text that holds the escape of a null character anywhere. */
async function storeNames(runner: QueryRunner): Promise<Map<string, string>> {
  const names = new Map<string, string>();
  for (let [after, isMore] = ['', true]; isMore;) {
    const page = (await runner.query(withName, [after])) as { wallet: string; data: Settings }[];
    for (const { wallet, data } of page) {
      const name = storeNameOf(data);
      if (name !== null) names.set(wallet, name);
    }
    isMore = page.length === pageLength;
    after = page.at(-1)?.wallet ?? '';
  }
  return names;
}

const storeName = `
  -- The storeName of the settings as it is shown, so that a page reads a name and not 64 KiB.
  ALTER TABLE settings ADD COLUMN store_name text CHECK (store_name <> '' AND length(store_name) <= 64)
`;
const withName = `SELECT wallet, data FROM settings WHERE wallet > $1 AND position('"storeName"' IN data::text) > 0
  ORDER BY wallet LIMIT ${pageLength}`;
const setNames = `UPDATE settings s SET store_name = named.store_name
  FROM unnest($1::text[], $2::text[]) AS named (wallet, store_name) WHERE s.wallet = named.wallet`;
