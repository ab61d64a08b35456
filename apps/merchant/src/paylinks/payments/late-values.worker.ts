import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { callContext } from '@tollbridge/rpc';
import { Clock } from '@tollbridge/database';
import type { Logger } from '@tollbridge/observability';
import { latestValueMs } from '@tollbridge/prices';
import { PollingLoop, ServiceLogger, type PollResult } from '@tollbridge/bootstrap';
import { TokenValues } from '../../chains/token-values';
import { PayLinkPaymentsRepository } from './paylink-payments.repository';
import { PaymentSettlement } from './payment-settlement';

const pollEveryMs = 10_000;
const maxAtOnce = 100;

/** Adds the dollar value to payments that were counted while their token had no price. */
@Injectable()
export class LateValues implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly polling: PollingLoop;

  constructor(
    private readonly payments: PayLinkPaymentsRepository,
    private readonly settlement: PaymentSettlement,
    private readonly values: TokenValues,
    @Inject(Clock) private readonly clock: Clock,
    @Inject(ServiceLogger) logger: Logger,
  ) {
    const onError = (err: unknown) => logger.warn({ err }, 'payment valuation failed, retrying');
    this.polling = new PollingLoop(() => this.step(), pollEveryMs, onError);
  }

  onApplicationBootstrap(): void {
    this.polling.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.polling.stop();
  }

  /** Safe with any number of replicas, because each payment is read again under its lock. */
  async step(): Promise<PollResult> {
    const priced = this.values.priced();
    if (priced.length === 0) return { kind: 'done' };
    const since = this.clock.now() - latestValueMs;
    const due = await this.payments.unvalued(since, priced, maxAtOnce);
    for (const payment of due) await this.settlement.value(payment, callContext({ principal: 'prices' }));
    return { kind: due.length === maxAtOnce ? 'more' : 'done' };
  }
}
