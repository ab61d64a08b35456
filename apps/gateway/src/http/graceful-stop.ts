import { Injectable, type OnApplicationShutdown, type OnModuleDestroy } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { Stopping } from '@tollbridge/bootstrap';
import type { Server } from 'node:http';
import { fastifyOf } from './gateway-adapter';

// Within this time, a connection in use sends its next request, and the reply announces that the connection closes.
const lingerMs = 500;
const pollMs = 20;

/** Stops the server without failing a request: rejects new connections, and serves open ones until they end. */
@Injectable()
export class GracefulStop implements OnModuleDestroy, OnApplicationShutdown {
  private stopped = false;
  private inFlight = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly host: HttpAdapterHost,
    private readonly stopping: Stopping,
  ) {}

  /** Whether replies announce that their connection closes. New connections may still be accepted. */
  get isLeaving(): boolean {
    return this.stopping.isStopping || this.stopped;
  }

  /** Whether new connections are rejected. */
  get isStopping(): boolean {
    return this.stopped;
  }

  requestBegan(): void {
    this.inFlight++;
  }

  requestEnded(): void {
    this.inFlight--;
  }

  /** Runs before Nest closes the server, which waits for the last connection. */
  onModuleDestroy(): void {
    if (this.stopped) return;
    this.stopped = true;
    const { server } = fastifyOf(this.host);
    // Node's close() would close connections that are idle between two requests, while the next request may be in
    // transit.
    server.closeIdleConnections = () => undefined;
    const startedMs = performance.now();
    this.timer = setInterval(() => this.poll(server, performance.now() - startedMs), pollMs);
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  /** Closes the remaining connections when no request is in progress, or after the time-out. */
  private poll(server: Server, elapsedMs: number): void {
    const { timeoutMs } = this.stopping.times;
    if (elapsedMs > timeoutMs || (elapsedMs > lingerMs && this.inFlight === 0)) server.closeAllConnections();
  }
}
