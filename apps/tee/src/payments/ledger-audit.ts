import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Clock } from '@tollbridge/database';
import { Metrics, type Logger } from '@tollbridge/observability';
import { PollingLoop, ServiceConfig, ServiceLogger } from '@tollbridge/bootstrap';
import { AccountsRepository } from '../accounts/accounts.repository';
import type { TeeConfig } from '../config';
import { LedgerWriter } from './ledger-writer';

/**
 * Adds the ledger up, again and again. One that does not add up has lost somebody's money, or made some: nothing more is
 * charged until it does, because each payment would make it harder to find out whose.
 */
@Injectable()
export class LedgerAudit implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly auditing: PollingLoop;
  private readonly differences;
  private readonly auditedAt;

  constructor(
    private readonly accounts: AccountsRepository,
    private readonly writer: LedgerWriter,
    @Inject(Clock) private readonly clock: Clock,
    @Inject(ServiceConfig) { TEE_AUDIT_MS: everyMs }: TeeConfig,
    @Inject(ServiceLogger) private readonly logger: Logger,
    metrics: Metrics,
  ) {
    this.differences = metrics.gauge(
      'tollbridge_ledger_difference',
      'By how much the ledger of nano-payments does not add up; anything but 0 halts it',
      ['sum'],
    );
    this.auditedAt = metrics.gauge(
      'tollbridge_ledger_audited_timestamp_seconds',
      'When the ledger of nano-payments was added up last',
    );
    this.auditing = new PollingLoop(
      () => this.audit(),
      everyMs,
      // What was found before stands: that nobody can look changes nothing.
      (error) => logger.warn({ err: error }, 'the ledger could not be added up; trying again'),
    );
  }

  onApplicationBootstrap(): void {
    this.auditing.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.auditing.stop();
  }

  private async audit(): Promise<'done'> {
    const found = Object.entries(await this.accounts.differences()) as [string, bigint][];
    for (const [sum, difference] of found) this.differences.set({ sum }, Number(difference));
    this.auditedAt.set(this.clock.now() / 1000);
    if (found.every(([, difference]) => difference === 0n)) {
      await this.writer.resume();
      return 'done';
    }
    this.writer.halt();
    const differences = Object.fromEntries(found.map(([sum, difference]) => [sum, difference.toString()]));
    this.logger.error({ differences }, 'the ledger does not add up: it is halted until somebody has looked');
    return 'done';
  }
}
