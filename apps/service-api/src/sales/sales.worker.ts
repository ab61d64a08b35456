import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { PollingLoop, ServiceConfig, ServiceLogger, WorkHints, type PollResult } from '@tollbridge/bootstrap';
import type { Logger } from '@tollbridge/observability';
import { PaymentSchemes } from './payments/payment-schemes';
import { SaleSettlement } from './payments/sale-settlement';
import type { Sale } from './sale';
import { SalesRepository } from './sales.repository';
import type { SalesConfig } from './settings';

const pollEveryMs = 500;
// Longer than the time-out of a settlement.
const leaseMs = 60_000;
const maxAtOnce = 10;

/** Resolves unknown settlements, polls purchases, and refunds. Safe in any number of replicas. */
@Injectable()
export class SalesWorker implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly loop: PollingLoop;

  constructor(
    private readonly settlement: SaleSettlement,
    private readonly schemes: PaymentSchemes,
    private readonly repository: SalesRepository,
    private readonly hints: WorkHints,
    @Inject(ServiceConfig) private readonly config: Pick<SalesConfig, 'SALES'>,
    @Inject(ServiceLogger) private readonly logger: Logger,
  ) {
    const onError = (err: unknown) => logger.warn({ err }, 'due sales not read, retrying');
    this.loop = new PollingLoop(() => this.step(), pollEveryMs, onError);
    hints.wakes(this.loop);
  }

  onApplicationBootstrap(): void {
    if (this.config.SALES === 'on') this.loop.start();
  }

  async onApplicationShutdown(): Promise<void> {
    if (this.config.SALES === 'on') await this.loop.stop();
  }

  async step(): Promise<PollResult> {
    const due = await this.repository.takeDue(leaseMs, maxAtOnce);
    if (due.length === 0) return this.hints.idleUntil(await this.repository.nextDueMs());
    await Promise.all(due.map((sale) => this.follow(sale)));
    return { kind: due.length === maxAtOnce ? 'more' : 'done' };
  }

  private async follow(sale: Sale): Promise<void> {
    try {
      if (sale.state === 'claimed') await this.settle(sale);
      else if (sale.state === 'refunding') await this.refund(sale);
      else await this.repository.decide(sale);
    } catch (err) {
      this.logger.error({ saleId: sale.id, err }, 'sale not followed, retrying');
      await this.repository.postpone(sale);
    }
  }

  private async settle(sale: Sale): Promise<void> {
    const held = await this.repository.leaseSettlement(sale);
    if (held) await this.settlement.settle(held);
    else await this.repository.postpone(sale);
  }

  private async refund(sale: Sale): Promise<void> {
    const payments = this.schemes.of(sale);
    const outcome = await payments.refund(sale);
    if (outcome.kind === 'later') return this.repository.postpone(sale);
    if (outcome.kind === 'expired') {
      // The authorization is stored before it is sent.
      const authorized = await this.repository.authorizeRefund(sale, await payments.newRefund(sale));
      return authorized && this.refund(authorized);
    }
    const transactionId = outcome.kind === 'refunded' ? outcome.transaction : null;
    await this.repository.refundEnded(sale, outcome.kind, transactionId);
    if (outcome.kind === 'refunded') this.logger.info({ saleId: sale.id, transactionId }, 'sale refunded');
    else this.logger.error({ saleId: sale.id }, 'refund of a sale failed, operator action needed');
  }
}
