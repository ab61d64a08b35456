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

describe('entities of merchant', () => {
  it('describe every table of the migrated schema', async () => {
    const entities = [
      ...appEntities,
      ...(await databaseEntities({ hasDeadLetterRetries: true, hasAuditLog: true, hasLockRows: true })),
    ];
    expect(await schemaDifferences({ schema: 'merchant', migrations, entities })).toEqual([]);
  });

  it('declare the retention of their rows, with settings that the app has', async () => {
    const entities = [
      ...appEntities,
      ...(await databaseEntities({ hasDeadLetterRetries: true, hasAuditLog: true, hasLockRows: true })),
    ];
    expect(entitiesWithoutPolicy(entities)).toEqual([]);
    expect(Object.keys(settings)).toEqual(expect.arrayContaining(periodSettingsOf(entities)));
  });
});

// Each check reads a locked table once. The tables of keys, sessions and endpoints are small.
const checks = [
  'api_keys.api_keys_pepper_id_check',
  'api_keys.api_keys_previous_pepper_id_check',
  'wallet_sessions.wallet_sessions_pepper_id_check',
  'webhook_endpoints.webhook_endpoints_pepper_id_check',
].map((constraint) => `PepperIds1798100000000 adds constraint ${constraint} without NOT VALID`);
const accepted = [
  // Only handlers of order events wait for this update, not calls.
  'CountExpired1801990500000 changes rows of the existing table dashboard_sums by UPDATE',
  // The migration sets the grants of the table that it has just created.
  'OperatorActions1797700100000 hides statements in DO',
  ...checks,
];

describe('migrations of merchant', () => {
  it('only expand the schema, without blocking the running app', async () => {
    const problems = await unsafeMigrations({ schema: 'merchant', migrations, release: schemaRelease });
    expect(problems.sort()).toEqual(accepted);
  });
});
