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

// The sandbox starts first: the others call its simulators. The gateway starts last, so that it is reachable only once
// the apps respond.
const services: Start[] = [sandbox, txEngine, payOrders, merchant, serviceApi, tee, nanopay, stream];

/** Runs every app in one process, for development: over a real NATS, each with its own connections and roles. */
export async function start(): Promise<Closable> {
  // Sequentially: on a slow machine, concurrent starts would delay each other's connections until they time out.
  const running: Closable[] = [];
  for (const service of services) running.push(await service());
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
