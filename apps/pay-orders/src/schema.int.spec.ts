import {
  databaseEntities,
  entitiesWithoutPolicy,
  periodSettingsOf,
  schemaRelease,
} from '@tollbridge/database';
import { schemaDifferences, unsafeMigrations } from '@tollbridge/testing';
import { settings } from './config';
import { entities as appEntities } from './entities';
import { migrations } from './migrations';

describe('entities of pay-orders', () => {
  it('describe every table of the migrated schema', async () => {
    const entities = [...appEntities, ...(await databaseEntities({ hasAuditLog: true }))];
    expect(await schemaDifferences({ schema: 'pay_orders', migrations, entities })).toEqual([]);
  }, 60_000);

  it('declare how long their rows stay, by settings that the app has', async () => {
    const entities = [...appEntities, ...(await databaseEntities({ hasAuditLog: true }))];
    expect(entitiesWithoutPolicy(entities)).toEqual([]);
    expect(Object.keys(settings)).toEqual(expect.arrayContaining(periodSettingsOf(entities)));
  });
});

describe('migrations of pay-orders', () => {
  it('only expand the schema, without blocking the running app', async () => {
    expect(await unsafeMigrations({ schema: 'pay_orders', migrations, release: schemaRelease })).toEqual([]);
  }, 60_000);
});
