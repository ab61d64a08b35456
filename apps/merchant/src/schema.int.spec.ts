import { databaseEntities, schemaRelease } from '@tollbridge/database';
import { schemaDifferences, unsafeMigrations } from '@tollbridge/testing';
import { entities as appEntities } from './entities';
import { migrations } from './migrations';

describe('entities of merchant', () => {
  it('describe every table of the migrated schema', async () => {
    const entities = [...appEntities, ...(await databaseEntities({ hasDeadLetterRetries: true }))];
    expect(await schemaDifferences({ schema: 'merchant', migrations, entities })).toEqual([]);
  }, 60_000);
});

describe('migrations of merchant', () => {
  it('only expand the schema, without blocking the running app', async () => {
    expect(await unsafeMigrations({ schema: 'merchant', migrations, release: schemaRelease })).toEqual([]);
  }, 60_000);
});
