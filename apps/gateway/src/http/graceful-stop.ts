import { Injectable, type OnApplicationShutdown, type OnModuleDestroy } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { Stopping } from '@tollbridge/bootstrap';
import type { Server } from 'node:http';
import { fastifyOf } from './gateway-adapter';

// A connection in use sends its next request within this time; the reply announces that the connection closes.
const lingerMs = 500;
const pollMs = 20;

/** Stops the server without failing a request: new connections are rejected, open ones are served to their end. */
@Injectable()
export class GracefulStop implements OnModuleDestroy, OnApplicationShutdown {
  private stopped = false;
  private inFlight = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly host: HttpAdapterHost,
    private readonly stopping: Stopping,
  ) {}

  /** Whether replies announce that their connection closes; new connections may still be accepted. */
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
    // Node's close() would cut connections between two requests, while the second may be on its way.
    server.closeIdleConnections = () => undefined;
    const startedMs = performance.now();
    this.timer = setInterval(() => this.poll(server, performance.now() - startedMs), pollMs);
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  /** Closes the remaining connections, once they have no request in flight or the time for open work has passed. */
  private poll(server: Server, elapsedMs: number): void {
    const { timeoutMs } = this.stopping.times;
    if (elapsedMs > timeoutMs || (elapsedMs > lingerMs && this.inFlight === 0)) server.closeAllConnections();
  }
}
