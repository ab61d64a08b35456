import type { Clock, Database } from '@tollbridge/database';
import fastify from 'fastify';
import { registerServices } from '../simulators/service-simulators';
import { SolanaSimulator } from './solana.simulator';

export interface RunningSolanaSimulator {
  /** URL of the node's JSON-RPC. */
  rpcUrl: string;
  /** URL for subscriptions. */
  webSocketUrl: string;
  simulator: SolanaSimulator;
  close(): Promise<void>;
}

/** Starts the local Solana network in the process of a test, on a migrated schema `sandbox` (`migrateSandbox`). */
export async function startSolanaSimulator(parts: {
  database: Pick<Database, 'pool'>;
  clock: Clock;
  onError(error: unknown): void;
}): Promise<RunningSolanaSimulator> {
  const solana = new SolanaSimulator(parts);
  const server = fastify({ forceCloseConnections: true });
  registerServices(server, { solana });
  const url = await server.listen({ host: '127.0.0.1', port: 0 });
  return {
    rpcUrl: `${url}${solana.prefix}`,
    webSocketUrl: `${url.replace('http', 'ws')}${solana.prefix}`,
    simulator: solana,
    async close() {
      await solana.stop();
      await server.close();
    },
  };
}
