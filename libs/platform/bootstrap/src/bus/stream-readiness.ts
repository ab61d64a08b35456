import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from '@tollbridge/observability';
import { ServiceLogger } from './service-tokens';

// A provisioner may run at the same time as the apps. A stream that is missing for longer is logged as an error.
const provisioningMs = 30_000;

/** Tracks missing streams and consumers of an app. The app is not ready while one is missing. */
@Injectable()
export class StreamReadiness {
  private readonly missing = new Map<string, number>();
  private readonly warned = new Set<string>();

  constructor(@Inject(ServiceLogger) private readonly logger: Logger) {}

  get isComplete(): boolean {
    return this.missing.size === 0;
  }

  /** Logs a missing stream or consumer once, and once more as an error when it stays missing. */
  isMissing(name: string, reason: Error): void {
    const nowMs = performance.now();
    const sinceMs = this.missing.get(name);
    if (sinceMs === undefined) {
      this.missing.set(name, nowMs);
      this.logger.info({ name, reason: reason.message }, 'event stream not provisioned yet, waiting');
    } else if (nowMs - sinceMs > provisioningMs && !this.warned.has(name)) {
      this.warned.add(name);
      this.logger.error({ name, err: reason }, 'event stream missing');
    }
  }

  isFound(name: string): void {
    if (!this.missing.delete(name)) return;
    this.warned.delete(name);
    this.logger.info({ name }, 'event stream found');
  }
}
