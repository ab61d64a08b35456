import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Logger } from '@tollbridge/observability';
import { ServiceLogger } from '@tollbridge/bootstrap';

// Whoever repeats a webhook that was genuine once makes a provider be asked so often, and no more.
const everyMs = 1_000;
// What comes beyond is found out by those who look anyway.
const maxAtOnce = 200;

interface Look {
  again: boolean;
  timer?: NodeJS.Timeout;
}

/** Looks at things at once when somebody says that they have changed, at each of them at most once in a second. */
@Injectable()
export class PacedLooks implements OnApplicationShutdown {
  private readonly recent = new Map<string, Look>();
  private readonly running = new Set<Promise<void>>();
  private isStopped = false;

  constructor(@Inject(ServiceLogger) private readonly logger: Logger) {}

  /** Begins to look, or notes that it is to be looked again when the second is over. Failures are logged. */
  request(key: string, look: () => Promise<void>): void {
    const known = this.recent.get(key);
    if (known) known.again = true;
    else if (!this.isStopped && this.recent.size < maxAtOnce) this.begin(key, look);
  }

  async onApplicationShutdown(): Promise<void> {
    this.isStopped = true;
    for (const { timer } of this.recent.values()) clearTimeout(timer);
    this.recent.clear();
    await Promise.all(this.running);
  }

  private begin(key: string, look: () => Promise<void>): void {
    const own: Look = { again: false };
    this.recent.set(key, own);
    const looking = look()
      .catch((err: unknown) =>
        this.logger.warn({ err }, 'what a webhook is about could not be looked at; it is looked at later'),
      )
      .finally(() => {
        this.running.delete(looking);
        if (!this.isStopped) own.timer = setTimeout(() => this.end(key, own, look), everyMs).unref();
      });
    this.running.add(looking);
  }

  /** A second after it was looked at: what was told meanwhile may be news. */
  private end(key: string, { again }: Look, look: () => Promise<void>): void {
    this.recent.delete(key);
    if (again) this.request(key, look);
  }
}
