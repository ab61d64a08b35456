import { Database, type Clock } from '@tollbridge/database';
import { freshDatabase } from '@tollbridge/testing';
import { startSolanaSimulator, type RunningSolanaSimulator } from '../start-solana-simulator';
import { migrateSandbox } from '../../simulators/open-simulators';

/** A clock that tests advance: one slot takes 400 ms. */
export class SlotClock implements Clock {
  private ms = Math.ceil(Date.now() / 1_000) * 1_000;

  now(): number {
    return this.ms;
  }

  passSlot(): void {
    this.ms += 400;
  }
}

export interface SolanaHarness extends RunningSolanaSimulator {
  /** Errors of the simulator itself. */
  problems: unknown[];
  /** Restarts the network on the same database. */
  restart(): Promise<void>;
}

/** Opens a separate Solana network for a test file. */
export async function openSolanaHarness(clock: Clock): Promise<SolanaHarness> {
  const fresh = await freshDatabase('sandbox', migrateSandbox);
  const problems: unknown[] = [];
  let database: Database;
  const begin = async (): Promise<RunningSolanaSimulator> => {
    const url = fresh.runtimeUrl;
    database = await Database.open({ app: 'sandbox', url, entities: [], maxConnections: 4 });
    return startSolanaSimulator({ database, clock, onError: (error) => problems.push(error) });
  };
  const end = async (): Promise<void> => {
    await running.close();
    await database.close();
  };
  let running = await begin();
  const harness: SolanaHarness = {
    ...running,
    problems,
    async restart() {
      await end();
      running = await begin();
      Object.assign(harness, running, { close: harness.close });
    },
    async close() {
      await end();
      await fresh.drop();
    },
  };
  return harness;
}
