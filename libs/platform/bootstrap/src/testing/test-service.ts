import { migrate } from '@tollbridge/database';
import { developmentIdentity, unrestrictedAccess } from '@tollbridge/rpc';
import { startService, type RunningService, type ServiceOptions } from '../service';

/** Creates tables in one migration, as the role that owns the schema. */
export async function createTables(app: string, ownerUrl: string, tables: readonly string[]): Promise<void> {
  class Tables1700000000000 {
    readonly name = 'Tables1700000000000';
    async up(runner: { query(text: string): Promise<unknown> }): Promise<void> {
      for (const table of tables) await runner.query(table);
    }
    async down(): Promise<void> {}
  }
  await migrate({ app, url: ownerUrl, migrations: [Tables1700000000000] as never });
}

type GivenOptions = 'identity' | 'access' | 'managementHost' | 'managementPort';

/** Starts a service with a free management port. Every app may call it. */
export const startTestService = (options: Omit<ServiceOptions, GivenOptions>): Promise<RunningService> =>
  startService({
    ...options,
    identity: developmentIdentity(options.app),
    access: unrestrictedAccess,
    managementHost: '127.0.0.1',
    managementPort: 0,
  });
