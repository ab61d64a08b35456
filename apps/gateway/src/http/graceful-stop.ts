import type { Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

// A connection that is in use brings its next request within this time, is told to close, and loses none.
const lingerMs = 500;
// Longer than any call without a time-out of its own; the process ends itself after 20 s.
const deadlineMs = 15_000;
const lookMs = 20;

/** Ends a server without failing a request: new connections are refused, those that exist are served to their end. */
export class GracefulStop {
  private stopping = false;
  private inFlight = 0;

  get isStopping(): boolean {
    return this.stopping;
  }

  requestBegan(): void {
    this.inFlight++;
  }

  requestEnded(): void {
    this.inFlight--;
  }

  /** @param close stops listening, and resolves when the last connection is gone. */
  async stop(server: Server, close: () => Promise<void>): Promise<void> {
    this.stopping = true;
    // Node's close() would cut connections between two requests, while the second one may be on its way.
    server.closeIdleConnections = () => undefined;
    const startedMs = performance.now();
    let isClosed = false;
    const closed = close().finally(() => (isClosed = true));
    while (!isClosed) {
      await Promise.race([closed, sleep(lookMs)]);
      const elapsedMs = performance.now() - startedMs;
      // What is left never sent a request, will not finish one, or has nothing more to ask.
      if (elapsedMs > deadlineMs || (elapsedMs > lingerMs && this.inFlight === 0))
        server.closeAllConnections();
    }
    await closed;
  }
}
