import { Inject, Injectable } from '@nestjs/common';
import { OutboxWorker, ServiceLogger } from '@tollbridge/bootstrap';
import type { ChainAdapter } from '@tollbridge/chain-port';
import { Clock, type Lease } from '@tollbridge/database';
import type { Logger } from '@tollbridge/observability';
import { TokenPrices } from '../prices/token-prices';
import { ChainFigures } from './chain-figures';
import { ChainWatcher } from './chain-watcher.worker';
import { PaymentsRepository } from './payments.repository';

/** Creates the watcher of each chain, which caches the blocks that it has read. */
@Injectable()
export class ChainWatchers {
  constructor(
    private readonly payments: PaymentsRepository,
    private readonly prices: TokenPrices,
    private readonly figures: ChainFigures,
    private readonly outbox: OutboxWorker,
    @Inject(Clock) private readonly clock: Clock,
    @Inject(ServiceLogger) private readonly logger: Logger,
  ) {}

  open(adapter: ChainAdapter, lease: Lease): ChainWatcher {
    const { payments, prices, figures, clock, logger } = this;
    figures.add(adapter.chain.id);
    const onApplied = () => this.outbox.wake();
    return new ChainWatcher({ adapter, lease, payments, prices, figures, clock, logger, onApplied });
  }
}
