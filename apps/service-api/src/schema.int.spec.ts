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

describe('entities of service-api', () => {
  it('describes every table of the migrated schema', async () => {
    const entities = [...appEntities, ...(await databaseEntities({ hasAuditLog: true, hasLockRows: true }))];
    expect(await schemaDifferences({ schema: 'service_api', migrations, entities })).toEqual([]);
  });

  it('declares the retention of each entity, by settings of the app', async () => {
    const entities = [...appEntities, ...(await databaseEntities({ hasAuditLog: true, hasLockRows: true }))];
    expect(entitiesWithoutPolicy(entities)).toEqual([]);
    expect(Object.keys(settings)).toEqual(expect.arrayContaining(periodSettingsOf(entities)));
  });
});

// The migration grants rights on the table that it has just created.
const accepted = ['OperatorActions1797700100000 hides statements in DO'];

describe('migrations of service-api', () => {
  it('only expands the schema, without blocking the running app', async () => {
    const problems = await unsafeMigrations({ schema: 'service_api', migrations, release: schemaRelease });
    expect(problems).toEqual(accepted);
  });
});
