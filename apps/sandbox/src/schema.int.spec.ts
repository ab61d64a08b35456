import { databaseEntities, entitiesWithoutPolicy } from '@tollbridge/database';
import { schemaDifferences } from '@tollbridge/testing';
import { entities as appEntities } from './entities';
import { migrations } from './migrations';

describe('entities of the sandbox', () => {
  it('describe every table of the migrated schema', async () => {
    const entities = [...appEntities, ...(await databaseEntities({ hasOutbox: false }))];
    expect(await schemaDifferences({ schema: 'sandbox', migrations, entities })).toEqual([]);
  }, 60_000);

  it('declare how long their rows stay', async () => {
    const entities = [...appEntities, ...(await databaseEntities({ hasOutbox: false }))];
    expect(entitiesWithoutPolicy(entities)).toEqual([]);
  });
});
