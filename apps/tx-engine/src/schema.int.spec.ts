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

describe('entities of tx-engine', () => {
  it('describe every table of the migrated schema', async () => {
    const entities = [...appEntities, ...(await databaseEntities())];
    expect(await schemaDifferences({ schema: 'tx_engine', migrations, entities })).toEqual([]);
  });

  it('declare the retention of their rows, by settings of the app', async () => {
    const entities = [...appEntities, ...(await databaseEntities())];
    expect(entitiesWithoutPolicy(entities)).toEqual([]);
    expect(Object.keys(settings)).toEqual(expect.arrayContaining(periodSettingsOf(entities)));
  });
});

describe('migrations of tx-engine', () => {
  it('only expand the schema, without blocking the running app', async () => {
    expect(await unsafeMigrations({ schema: 'tx_engine', migrations, release: schemaRelease })).toEqual([]);
  });
});
