import { databaseEntities, schemaRelease } from '@tollbridge/database';
import { schemaDifferences, unsafeMigrations } from '@tollbridge/testing';
import { entities as appEntities } from './entities';
import { migrations } from './migrations';

describe('entities of pay-orders', () => {
  it('describe every table of the migrated schema', async () => {
    const entities = [...appEntities, ...(await databaseEntities())];
    expect(await schemaDifferences({ schema: 'pay_orders', migrations, entities })).toEqual([]);
  }, 60_000);
});

describe('migrations of pay-orders', () => {
  it('only expand the schema, without blocking the running app', async () => {
    expect(await unsafeMigrations({ schema: 'pay_orders', migrations, release: schemaRelease })).toEqual([]);
  }, 60_000);
});
