import { migrate } from '@tollbridge/database';
import { freshDatabase, type FreshDatabase } from '@tollbridge/testing';
import { migrations } from '../migrations';

/** Creates the database of one test file, with the tables of the app. */
export const migratedDatabase = (): Promise<FreshDatabase> =>
  freshDatabase('service_api', (url) => migrate({ app: 'service-api', url, migrations }));
