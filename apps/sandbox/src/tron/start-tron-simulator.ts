import fastify from 'fastify';
import { TronSimulator, type TronSimulatorOptions } from './tron.simulator';

export interface RunningTronSimulator {
  /** In place of a full node's URL, or of TronGrid's. */
  url: string;
  simulator: TronSimulator;
  close(): Promise<void>;
}

/** Tron's interface in a test's own process, over an EVM node of the test. */
export async function startTronSimulator(options: TronSimulatorOptions): Promise<RunningTronSimulator> {
  const simulator = new TronSimulator(options);
  const server = fastify({ forceCloseConnections: true });
  void server.register(async (routes) => simulator.register(routes), { prefix: simulator.prefix });
  const address = await server.listen({ host: '127.0.0.1', port: 0 });
  await simulator.start();
  return { url: `${address}${simulator.prefix}`, simulator, close: () => server.close() };
}
