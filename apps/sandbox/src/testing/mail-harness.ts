import type { Clock } from '@tollbridge/database';
import { freshDatabase } from '@tollbridge/testing';
import type { RequestRates } from '../simulators/request-rate';
import { startMailSimulators, type RunningMailSimulators } from '../mail/start-mail-simulators';
import { migrateSandbox } from '../simulators/open-simulators';

export type MailHarness = RunningMailSimulators;

/** Starts the mail simulators on a separate database. */
export async function startMailHarness(requestRates?: RequestRates, clock?: Clock): Promise<MailHarness> {
  const database = await freshDatabase('sandbox', migrateSandbox);
  const running = await startMailSimulators(database, requestRates, clock);
  return {
    ...running,
    async close() {
      await running.close();
      await database.drop();
    },
  };
}
