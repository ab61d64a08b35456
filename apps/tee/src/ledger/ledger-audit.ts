import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Clock } from '@tollbridge/database';
import { Metrics, type Logger } from '@tollbridge/observability';
import { PollingLoop, ServiceConfig, ServiceLogger, type PollResult } from '@tollbridge/bootstrap';
import { LedgerSumsRepository } from './storage/ledger-sums.repository';
import type { TeeConfig } from '../config';
import { LedgerWriter } from './storage/ledger-writer';

/**
 * Verifies the invariants of the ledger periodically. Sums that do not balance mean that money was lost or created. The
 * ledger then halts, because further payments would make it harder to find the cause.
 */
@Injectable()
export class LedgerAudit implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly auditing: PollingLoop;
  private readonly differences;
  private readonly auditedAt;

  constructor(
    private readonly sums: LedgerSumsRepository,
    private readonly writer: LedgerWriter,
    @Inject(Clock) private readonly clock: Clock,
    @Inject(ServiceConfig) { TEE_AUDIT_MS: everyMs }: TeeConfig,
    @Inject(ServiceLogger) private readonly logger: Logger,
    metrics: Metrics,
  ) {
    this.differences = metrics.gauge(
      'tollbridge_ledger_difference',
      'Imbalance of the nano-payment ledger, smallest unit; anything but 0 halts it',
      ['sum'],
    );
    this.auditedAt = metrics.gauge(
      'tollbridge_ledger_audited_timestamp_seconds',
      'When the nano-payment ledger was last verified',
    );
    this.auditing = new PollingLoop(
      () => this.audit(),
      everyMs,
      // A failed read does not change the last result.
      (error) => logger.warn({ err: error }, 'ledger audit failed, retrying'),
    );
  }

  onApplicationBootstrap(): void {
    this.auditing.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.auditing.stop();
  }

  private async audit(): Promise<PollResult> {
    const found = Object.entries(await this.sums.differences()) as [string, bigint][];
    for (const [sum, difference] of found) this.differences.set({ sum }, Number(difference));
    this.auditedAt.set(this.clock.now() / 1000);
    if (found.every(([, difference]) => difference === 0n)) {
      await this.writer.resume();
      return { kind: 'done' };
    }
    this.writer.halt();
    const differences = Object.fromEntries(found.map(([sum, difference]) => [sum, difference.toString()]));
    this.logger.error({ differences }, 'ledger halted: its sums do not balance');
    return { kind: 'done' };
  }
}
