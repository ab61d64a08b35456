import type { Clock, Database } from '@tollbridge/database';
import fastify from 'fastify';
import { registerServices } from '../simulators/service-simulators';
import { SuiSimulator } from './sui.simulator';

export interface RunningSuiSimulator {
  /** URL of the GraphQL RPC. */
  rpcUrl: string;
  simulator: SuiSimulator;
  close(): Promise<void>;
}

/** Starts the local Sui network in the process of a test, on a migrated schema `sandbox` (`migrateSandbox`). */
export async function startSuiSimulator(parts: {
  database: Pick<Database, 'pool'>;
  clock: Clock;
  onError(error: unknown): void;
}): Promise<RunningSuiSimulator> {
  let url = '';
  const sui = new SuiSimulator({ ...parts, publicUrl: () => url });
  const server = fastify({ forceCloseConnections: true });
  registerServices(server, { sui });
  url = await server.listen({ host: '127.0.0.1', port: 0 });
  return {
    rpcUrl: `${url}${sui.prefix}/graphql`,
    simulator: sui,
    async close() {
      await server.close();
      await sui.stop();
    },
  };
}
