import type { Clock, Database } from '@tollbridge/database';
import fastify from 'fastify';
import { registerServices } from '../simulators/service-simulators';
import { TonSimulator } from './ton.simulator';

export interface RunningTonSimulator {
  /** URL of toncenter's JSON-RPC. */
  rpcUrl: string;
  simulator: TonSimulator;
  close(): Promise<void>;
}

/** Starts the local TON network in the process of a test, on a migrated schema `sandbox` (`migrateSandbox`). */
export async function startTonSimulator(parts: {
  database: Pick<Database, 'pool'>;
  clock: Clock;
  nanopayDepositAddress?: string;
  onError(error: unknown): void;
}): Promise<RunningTonSimulator> {
  let url = '';
  const toncenter = new TonSimulator({ ...parts, publicUrl: () => url });
  const server = fastify({ forceCloseConnections: true });
  registerServices(server, { toncenter });
  url = await server.listen({ host: '127.0.0.1', port: 0 });
  return {
    rpcUrl: `${url}${toncenter.prefix}/api/v2/jsonRPC`,
    simulator: toncenter,
    async close() {
      await server.close();
      await toncenter.stop();
    },
  };
}
