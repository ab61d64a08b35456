import type { Database } from '@tollbridge/database';
import fastify from 'fastify';
import { registerServices } from '../simulators/service-simulators';
import { TronSimulator } from './tron.simulator';
import type { TronNetwork } from './network';

export interface RunningTronSimulator {
  /** The URL that replaces the URL of a full node or of TronGrid. */
  url: string;
  simulator: TronSimulator;
  close(): Promise<void>;
}

/**
 * Starts the local Tron network in the process of a test, with the test's EVM node and a migrated schema `sandbox`
 * (`migrateSandbox`). Blocks are mined for transactions, and when the test mines on the node.
 */
export async function startTronSimulator(options: {
  /** URL of an EVM node where no other program mines blocks. */
  rpcUrl: string;
  database: Pick<Database, 'pool'>;
  network?: Partial<TronNetwork>;
  onError(error: unknown): void;
}): Promise<RunningTronSimulator> {
  const simulator = new TronSimulator({ ...options, minesByClock: false });
  const server = fastify({ forceCloseConnections: true });
  registerServices(server, { tron: simulator });
  const address = await server.listen({ host: '127.0.0.1', port: 0 });
  await simulator.ready();
  return {
    url: `${address}${simulator.prefix}`,
    simulator,
    async close() {
      await server.close();
      await simulator.stop();
    },
  };
}
