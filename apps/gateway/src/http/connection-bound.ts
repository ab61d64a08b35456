import type { Logger, Metrics } from '@tollbridge/observability';
import type { Server } from 'node:http';
import type { BlockList, Socket } from 'node:net';
import { clientAddress, isProxy, networkOf } from '../rate-limit/client-address';

export interface ConnectionBoundOptions {
  /** Open connections of one address; 0 is no bound. */
  most: number;
  /** Their connections carry requests of many clients, and are not bounded. */
  proxies: BlockList;
  logger: Logger;
  metrics: Metrics;
}

const warnEveryMs = 60_000;

/** Closes connections beyond those that one client address may have open. IPv6 addresses count by /64 network. */
export function boundConnections(
  server: Server,
  { most, proxies, logger, metrics }: ConnectionBoundOptions,
): void {
  if (most === 0) return;
  const open = new Map<string, number>();
  const rejected = metrics.counter(
    'tollbridge_gateway_connections_rejected_total',
    'Connections closed because their address had too many',
  );
  let warnedAtMs = -Infinity;
  const warn = (address: string): void => {
    rejected.inc();
    if (performance.now() - warnedAtMs < warnEveryMs) return;
    warnedAtMs = performance.now();
    logger.warn({ network: networkOf(address), most }, 'connection rejected: too many from one address');
  };
  server.on('connection', (socket: Socket) => {
    if (isProxy(proxies, socket.remoteAddress ?? '')) return;
    const address = clientAddress({ socket, headers: {} }, proxies);
    const count = (open.get(address) ?? 0) + 1;
    if (count > most) {
      warn(address);
      socket.destroy();
      return;
    }
    open.set(address, count);
    socket.once('close', () => {
      const left = open.get(address)! - 1;
      if (left > 0) open.set(address, left);
      else open.delete(address);
    });
  });
}
