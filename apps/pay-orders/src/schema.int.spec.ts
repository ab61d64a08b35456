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
    const entities = [...appEntities, ...(await databaseEntities({ hasAuditLog: true, hasLockRows: true }))];
    expect(await schemaDifferences({ schema: 'pay_orders', migrations, entities })).toEqual([]);
  });

  it('declare the retention of their rows, with settings that the app has', async () => {
    const entities = [...appEntities, ...(await databaseEntities({ hasAuditLog: true, hasLockRows: true }))];
    expect(entitiesWithoutPolicy(entities)).toEqual([]);
    expect(Object.keys(settings)).toEqual(expect.arrayContaining(periodSettingsOf(entities)));
  });
});

// The migration sets the grants of the table that it has just created.
const accepted = ['OperatorActions1797700100000 hides statements in DO'];

describe('migrations of pay-orders', () => {
  it('only expand the schema, without blocking the running app', async () => {
    const problems = await unsafeMigrations({ schema: 'pay_orders', migrations, release: schemaRelease });
    expect(problems).toEqual(accepted);
  });
});
