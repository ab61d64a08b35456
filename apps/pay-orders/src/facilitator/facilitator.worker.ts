import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { PollingLoop, ServiceLogger, WorkHints, type PollResult } from '@tollbridge/bootstrap';
import type { Logger } from '@tollbridge/observability';
import { Rails } from './rails';
import type { Settlement } from './settlement';
import { SettlementsRepository } from './settlements.repository';

// The block time of the fastest chains.
const pollEveryMs = 250;
// Longer than one step takes unless a node is down. Two replicas at the same time do no harm.
const leaseMs = 30_000;
const againAfterFailureMs = 5_000;
const maxAtOnce = 16;

/**
 * Advances settlements until they are final, including those of calls and processes that ended. Any replica may run it.
 */
@Injectable()
export class FacilitatorWorker implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly loop: PollingLoop;

  constructor(
    private readonly settlements: SettlementsRepository,
    private readonly rails: Rails,
    private readonly hints: WorkHints,
    @Inject(ServiceLogger) private readonly logger: Logger,
  ) {
    const onError = (err: unknown) => logger.warn({ err }, 'settlements could not be read, retrying');
    this.loop = new PollingLoop(() => this.step(), pollEveryMs, onError);
    hints.wakes(this.loop);
  }

  onApplicationBootstrap(): void {
    if (this.rails.isActive) this.loop.start();
  }

  async onApplicationShutdown(): Promise<void> {
    if (this.rails.isActive) await this.loop.stop();
  }

  async step(): Promise<PollResult> {
    const due = await this.settlements.takeDue(leaseMs, maxAtOnce);
    await Promise.all(due.map((settlement) => this.follow(settlement)));
    if (due.length === 0) return this.hints.idleUntil(await this.settlements.nextDueMs());
    return { kind: due.length === maxAtOnce ? 'more' : 'done' };
  }

  private async follow(settlement: Settlement): Promise<void> {
    const rail = this.rails.find(settlement.network);
    try {
      await this.rails.get(settlement.network).follow(settlement);
    } catch (err) {
      const about = { settlementId: settlement.id, err };
      if (rail?.isOutage(err)) this.logger.warn(about, 'settlement could not be followed, retrying');
      else this.logger.error(about, 'settlement could not be followed, retrying');
      await this.settlements.postpone(settlement, againAfterFailureMs);
    }
  }
}
