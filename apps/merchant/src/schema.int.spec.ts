import { databaseEntities } from '@tollbridge/database';
import { schemaDifferences } from '@tollbridge/testing';
import { entities as appEntities } from './entities';
import { migrations } from './migrations';

describe('entities of merchant', () => {
  it('describe every table of the migrated schema', async () => {
    const entities = [...appEntities, ...(await databaseEntities({ hasDeadLetterRetries: true }))];
    expect(await schemaDifferences({ schema: 'merchant', migrations, entities })).toEqual([]);
  }, 60_000);
});
