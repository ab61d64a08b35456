import { start as gateway } from '@tollbridge/app-gateway';
import { start as merchant } from '@tollbridge/app-merchant';
import { start as nanopay } from '@tollbridge/app-nanopay';
import { start as payOrders } from '@tollbridge/app-pay-orders';
import { start as sandbox } from '@tollbridge/app-sandbox';
import { start as serviceApi } from '@tollbridge/app-service-api';
import { start as stream } from '@tollbridge/app-stream';
import { start as tee } from '@tollbridge/app-tee';
import { start as txEngine } from '@tollbridge/app-tx-engine';
import type { Closable } from '@tollbridge/bootstrap';

type Start = (env?: NodeJS.ProcessEnv) => Promise<Closable>;

// Two lists of apps start in parallel, because an app mostly waits for its connections to NATS and PostgreSQL. The apps
// of a list start one by one. More parallel starts would delay each other until connections time out on a slow machine.
const lanes: readonly Start[][] = [
  [txEngine, payOrders, merchant, serviceApi],
  [tee, nanopay, stream],
];

/** Runs every app in one process, for development. Each app has its own connection and user on a real NATS server. */
export async function start(): Promise<Closable> {
  // Started first, because the other apps call its simulators.
  const running: Closable[] = [await sandbox()];
  const startAll = async (lane: readonly Start[]): Promise<void> => {
    for (const service of lane) running.push(await service());
  };
  await Promise.all(lanes.map(startAll));
  // Started last, so that it is reachable only when the apps respond.
  const front = await gateway();
  const longestOf = ({ closeTimeoutMs = 0 }: Closable): number => closeTimeoutMs;
  return {
    // The services are closed after the gateway.
    closeTimeoutMs: longestOf(front) + Math.max(...running.map(longestOf)),
    close: async () => {
      await front.close();
      await Promise.all(running.map((service) => service.close()));
    },
  };
}
