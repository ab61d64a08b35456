import type { Database } from '@tollbridge/database';
import fastify from 'fastify';
import { registerServices } from '../simulators/service-simulators';
import { TronSimulator } from './tron.simulator';
import type { TronNetwork } from './network';

export interface RunningTronSimulator {
  /** In place of a full node's URL, or of TronGrid's. */
  url: string;
  simulator: TronSimulator;
  close(): Promise<void>;
}

/**
 * The local Tron network in a test's own process, over an EVM node of the test, on a migrated schema `sandbox`
 * (`migrateSandbox`). Blocks are mined for transactions, and when the test asks the node for them.
 */
export async function startTronSimulator(options: {
  /** URL of an EVM node that nothing else mines blocks on. */
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
