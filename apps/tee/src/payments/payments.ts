import { Inject, Injectable } from '@nestjs/common';
import type { FrameItem, Outcome } from '@tollbridge/nanopay-protocol';
import type { Logger } from '@tollbridge/observability';
import { ServiceConfig, ServiceLogger } from '@tollbridge/bootstrap';
import type { TeeConfig } from '../config';
import { LedgerUnavailable } from '../ledger/storage/ledger-writer';
import { ChannelSettlements } from './channel-settlements';
import { Charges } from './charges';
import { unknown } from './outcomes';
import { PaymentFigures } from './payment-figures';
import { StoredPayments } from './stored-payments';

/** Processes payment frames up to a maximum in progress. Each item has an outcome and is counted. */
@Injectable()
export class Payments {
  private inFlight = 0;

  constructor(
    private readonly charges: Charges,
    private readonly stored: StoredPayments,
    private readonly settlements: ChannelSettlements,
    private readonly figures: PaymentFigures,
    @Inject(ServiceConfig) private readonly config: TeeConfig,
    @Inject(ServiceLogger) private readonly logger: Logger,
  ) {}

  /** Returns outcomes in the order of the items. Each is committed, rejected or unknown. */
  process(items: readonly FrameItem[]): Promise<Outcome[]> {
    return Promise.all(items.map((item) => this.processOne(item)));
  }

  private async processOne(item: FrameItem): Promise<Outcome> {
    const startedMs = performance.now();
    // Limits the payments that wait for a stalled database.
    const hasRoom = this.inFlight < this.config.TEE_MAX_UNDER_WAY;
    const outcome = hasRoom ? await this.tryOne(item) : unknown;
    this.figures.count(outcome, performance.now() - startedMs);
    return outcome;
  }

  private async tryOne(item: FrameItem): Promise<Outcome> {
    this.inFlight++;
    try {
      if (item.kind === 'void') return await this.stored.void(item);
      return item.kind === 'settle' ? await this.settlements.settle(item) : await this.charges.charge(item);
    } catch (error) {
      if (!(error instanceof LedgerUnavailable)) this.logger.error({ err: error }, 'payment failed');
      return unknown;
    } finally {
      this.inFlight--;
    }
  }
}
