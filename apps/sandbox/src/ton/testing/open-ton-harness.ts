import { Database, type Clock } from '@tollbridge/database';
import { TonAccountReader } from '@tollbridge/ton';
import { freshDatabase } from '@tollbridge/testing';
import { readGenesis, type Genesis } from '../genesis';
import { startTonSimulator, type RunningTonSimulator } from '../start-ton-simulator';
import { migrateSandbox } from '../../simulators/open-simulators';

export interface TonHarness extends RunningTonSimulator {
  genesis: Genesis;
  reader: TonAccountReader;
  /** Errors of the simulator itself. */
  problems: unknown[];
  /** Restarts the network on the same database. */
  restart(): Promise<void>;
}

/** Opens a separate TON network for a test. */
export async function openTonHarness(clock: Clock): Promise<TonHarness> {
  const fresh = await freshDatabase('sandbox', migrateSandbox);
  const problems: unknown[] = [];
  let database: Database;
  const begin = async (): Promise<RunningTonSimulator> => {
    database = await Database.open({
      app: 'sandbox',
      url: fresh.runtimeUrl,
      entities: [],
      maxConnections: 4,
    });
    return startTonSimulator({ database, clock, onError: (error) => problems.push(error) });
  };
  const end = async (): Promise<void> => {
    await running.close();
    await database.close();
  };
  let running = await begin();
  const readerOf = ({ rpcUrl }: RunningTonSimulator) => new TonAccountReader({ url: rpcUrl });
  const harness: TonHarness = {
    ...running,
    genesis: await readGenesis(),
    reader: readerOf(running),
    problems,
    async restart() {
      await end();
      running = await begin();
      Object.assign(harness, running, { reader: readerOf(running), close: harness.close });
    },
    async close() {
      await end();
      await fresh.drop();
    },
  };
  return harness;
}
