import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { ServiceConfig, ServiceLogger } from '@tollbridge/bootstrap';
import { Metrics, type Logger } from '@tollbridge/observability';
import type { Counter } from 'prom-client';
import type { BlockList, Socket } from 'node:net';
import { clientAddress, isProxy, networkOf } from '../client-address/client-address';
import { TrustedProxies } from '../client-address/client-address.module';
import type { GatewayConfig } from '../config';
import { fastifyOf } from './gateway-adapter';

const warnEveryMs = 60_000;
// Each connection costs a file descriptor and some kilobytes. Above this number, another replica is needed.
const maxConnections = 10_000;

/** Closes connections above the limit of their client address. IPv6 addresses count by /64 network. */
@Injectable()
export class ConnectionBound implements OnModuleInit {
  private readonly open = new Map<string, number>();
  private readonly rejected: Counter;
  private readonly most: number;
  private warnedAtMs = -Infinity;

  constructor(
    private readonly host: HttpAdapterHost,
    metrics: Metrics,
    @Inject(ServiceConfig) config: Pick<GatewayConfig, 'GATEWAY_MAX_CONNECTIONS_PER_ADDRESS'>,
    @Inject(TrustedProxies) private readonly proxies: BlockList,
    @Inject(ServiceLogger) private readonly logger: Logger,
  ) {
    this.most = config.GATEWAY_MAX_CONNECTIONS_PER_ADDRESS;
    this.rejected = metrics.counter(
      'tollbridge_gateway_connections_rejected_total',
      'Connections closed because their address had too many',
    );
  }

  onModuleInit(): void {
    const { server } = fastifyOf(this.host);
    server.maxConnections = maxConnections;
    if (this.most > 0) server.on('connection', (socket: Socket) => this.admit(socket));
  }

  private admit(socket: Socket): void {
    // The connections of a proxy carry requests of many clients.
    if (isProxy(this.proxies, socket.remoteAddress ?? '')) return;
    const address = clientAddress({ socket, headers: {} }, this.proxies);
    const count = (this.open.get(address) ?? 0) + 1;
    if (count > this.most) {
      this.warn(address);
      socket.destroy();
      return;
    }
    this.open.set(address, count);
    socket.once('close', () => {
      const left = this.open.get(address)! - 1;
      if (left > 0) this.open.set(address, left);
      else this.open.delete(address);
    });
  }

  private warn(address: string): void {
    this.rejected.inc();
    if (performance.now() - this.warnedAtMs < warnEveryMs) return;
    this.warnedAtMs = performance.now();
    this.logger.warn(
      { network: networkOf(address), most: this.most },
      'connection rejected: too many from one address',
    );
  }
}
