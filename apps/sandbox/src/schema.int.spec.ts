import { databaseEntities, entitiesWithoutPolicy, schemaRelease } from '@tollbridge/database';
import { schemaDifferences, unsafeMigrations } from '@tollbridge/testing';
import { entities as appEntities } from './entities';
import { migrations } from './migrations';

describe('entities of the sandbox', () => {
  it('describe every table of the migrated schema', async () => {
    const entities = [...appEntities, ...(await databaseEntities({ hasOutbox: false }))];
    expect(await schemaDifferences({ schema: 'sandbox', migrations, entities })).toEqual([]);
  });

  it('declare the retention of their rows', async () => {
    const entities = [...appEntities, ...(await databaseEntities({ hasOutbox: false }))];
    expect(entitiesWithoutPolicy(entities)).toEqual([]);
  });
});

describe('migrations of sandbox', () => {
  it('only expand the schema, without blocking the running app', async () => {
    expect(await unsafeMigrations({ schema: 'sandbox', migrations, release: schemaRelease })).toEqual([]);
  });
});
