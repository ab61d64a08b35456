import { databaseEntities } from '@tollbridge/database';
import { schemaDifferences } from '@tollbridge/testing';
import { entities as appEntities } from './entities';
import { migrations } from './migrations';

describe('entities of service-api', () => {
  it('describe every table of the migrated schema', async () => {
    const entities = [...appEntities, ...(await databaseEntities())];
    expect(await schemaDifferences({ schema: 'service_api', migrations, entities })).toEqual([]);
  }, 60_000);
});
