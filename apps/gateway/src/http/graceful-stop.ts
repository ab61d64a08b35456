import { Injectable, type OnApplicationShutdown, type OnModuleDestroy } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { Server } from 'node:http';
import { fastifyOf } from './gateway-adapter';

// A connection in use sends its next request within this time; the reply announces that the connection closes.
const lingerMs = 500;
// Longer than any call without its own time-out; the process ends after 20 s.
const deadlineMs = 15_000;
const pollMs = 20;

/** Stops the server without failing a request: new connections are rejected, open ones are served to their end. */
@Injectable()
export class GracefulStop implements OnModuleDestroy, OnApplicationShutdown {
  private stopping = false;
  private inFlight = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly host: HttpAdapterHost) {}

  get isStopping(): boolean {
    return this.stopping;
  }

  requestBegan(): void {
    this.inFlight++;
  }

  requestEnded(): void {
    this.inFlight--;
  }

  /** Runs before Nest closes the server, which waits for the last connection. */
  onModuleDestroy(): void {
    if (this.stopping) return;
    this.stopping = true;
    const { server } = fastifyOf(this.host);
    // Node's close() would cut connections between two requests, while the second may be on its way.
    server.closeIdleConnections = () => undefined;
    const startedMs = performance.now();
    this.timer = setInterval(() => this.poll(server, performance.now() - startedMs), pollMs);
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  /** Closes the remaining connections, once they have no request in flight or the deadline has passed. */
  private poll(server: Server, elapsedMs: number): void {
    if (elapsedMs > deadlineMs || (elapsedMs > lingerMs && this.inFlight === 0)) server.closeAllConnections();
  }
}
