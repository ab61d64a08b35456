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

describe('entities of tee', () => {
  it('describe every table of the migrated schema', async () => {
    const entities = [...appEntities, ...(await databaseEntities())];
    expect(await schemaDifferences({ schema: 'tee', migrations, entities })).toEqual([]);
  });

  it('declare the retention of their rows, by settings of the app', async () => {
    const entities = [...appEntities, ...(await databaseEntities())];
    expect(entitiesWithoutPolicy(entities)).toEqual([]);
    expect(Object.keys(settings)).toEqual(expect.arrayContaining(periodSettingsOf(entities)));
  });
});

describe('migrations of tee', () => {
  it('only expand the schema, without blocking the running app', async () => {
    expect(await unsafeMigrations({ schema: 'tee', migrations, release: schemaRelease })).toEqual([]);
  });
});
