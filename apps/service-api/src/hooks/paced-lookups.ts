import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Logger } from '@tollbridge/observability';
import { ServiceLogger } from '@tollbridge/bootstrap';

// Limits the lookups that replayed webhooks can cause.
const everyMs = 1_000;
// Beyond this number, the regular polling finds the change.
const maxConcurrent = 200;

interface Lookup {
  again: boolean;
  timer?: NodeJS.Timeout;
}

/** Looks up the purchases of webhooks: immediately, and each at most once a second. */
@Injectable()
export class PacedLookups implements OnApplicationShutdown {
  private readonly recent = new Map<string, Lookup>();
  private readonly running = new Set<Promise<void>>();
  private isStopped = false;

  constructor(@Inject(ServiceLogger) private readonly logger: Logger) {}

  /** Starts a lookup, or schedules one for the end of the second. Failures are logged. */
  request(key: string, lookUp: () => Promise<void>): void {
    const known = this.recent.get(key);
    if (known) known.again = true;
    else if (!this.isStopped && this.recent.size < maxConcurrent) this.begin(key, lookUp);
  }

  async onApplicationShutdown(): Promise<void> {
    this.isStopped = true;
    for (const { timer } of this.recent.values()) clearTimeout(timer);
    this.recent.clear();
    await Promise.all(this.running);
  }

  private begin(key: string, lookUp: () => Promise<void>): void {
    const own: Lookup = { again: false };
    this.recent.set(key, own);
    const running = lookUp()
      .catch((err: unknown) => this.logger.warn({ err }, 'webhook lookup failed'))
      .finally(() => {
        this.running.delete(running);
        if (!this.isStopped) own.timer = setTimeout(() => this.end(key, own, lookUp), everyMs).unref();
      });
    this.running.add(running);
  }

  /** Repeats the lookup when another webhook arrived during it. */
  private end(key: string, { again }: Lookup, lookUp: () => Promise<void>): void {
    this.recent.delete(key);
    if (again) this.request(key, lookUp);
  }
}
