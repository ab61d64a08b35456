import { freshDatabase } from '@tollbridge/testing';
import type { RequestRates } from '../simulators/request-rate';
import { startMailSimulators, type RunningMailSimulators } from '../mail/start-mail-simulators';

export type MailHarness = RunningMailSimulators;

/** The mail simulators on a database of their own. */
export async function startMailHarness(requestRates?: RequestRates): Promise<MailHarness> {
  const database = await freshDatabase('sandbox');
  const running = await startMailSimulators(database, requestRates);
  return {
    ...running,
    async close() {
      await running.close();
      await database.drop();
    },
  };
}
