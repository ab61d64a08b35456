import { reloadlyClient, startServiceSimulators, type Reloadly } from '@tollbridge/app-sandbox';
import { Database, type Clock } from '@tollbridge/database';
import { freshDatabase } from '@tollbridge/testing';
import { migrateSandbox } from '@tollbridge/app-sandbox';

export interface RunningReloadly {
  simulator: Reloadly;
  /** The database of the provider simulator. */
  database: Database;
  /** Base URL of all simulators. */
  url: string;
  close(): Promise<void>;
}

/** The Reloadly simulator of the sandbox, with its own database. */
export async function startReloadly(clock: Clock): Promise<RunningReloadly> {
  const closers: (() => Promise<unknown>)[] = [];
  const close = async () => {
    for (const closer of closers.splice(0).reverse()) await closer();
  };
  try {
    const fresh = await freshDatabase('sandbox', migrateSandbox);
    closers.push(() => fresh.drop());
    const onError = (error: unknown) => void process.stderr.write(`${String(error)}\n`);
    const options = { app: 'sandbox', url: fresh.runtimeUrl, entities: [], maxConnections: 8, onError };
    const database = await Database.open(options);
    closers.push(() => database.close());
    const running = await startServiceSimulators({ database, clock, onError });
    closers.push(() => running.close());
    return { simulator: running.simulators['reloadly'] as Reloadly, database, url: running.url, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** @param url base URL of the provider's products and of its token endpoint */
export function reloadlySettings(url: string): NodeJS.ProcessEnv {
  return {
    RELOADLY_AUTH_URL: `${url}/auth`,
    RELOADLY_GIFTCARDS_URL: `${url}/giftcards`,
    RELOADLY_TOPUPS_URL: `${url}/topups`,
    RELOADLY_UTILITIES_URL: `${url}/utilities`,
    RELOADLY_GIFTCARDS_AUDIENCE: 'https://giftcards-sandbox.reloadly.com',
    RELOADLY_TOPUPS_AUDIENCE: 'https://topups-sandbox.reloadly.com',
    RELOADLY_UTILITIES_AUDIENCE: 'https://utilities-sandbox.reloadly.com',
    RELOADLY_CLIENT_ID: reloadlyClient.id,
    RELOADLY_CLIENT_SECRET: reloadlyClient.secret,
  };
}
