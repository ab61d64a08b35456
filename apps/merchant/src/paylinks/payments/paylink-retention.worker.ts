import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Clock } from '@tollbridge/database';
import type { Logger } from '@tollbridge/observability';
import { PollingLoop, type PollResult, ServiceLogger } from '@tollbridge/bootstrap';
import { PaymentRequestsRepository } from '../../payments/requests/payment-requests.repository';
import { PayLinkPaymentsRepository } from './paylink-payments.repository';

const deleteEveryMs = 60 * 60_000;
const dayMs = 24 * 60 * 60_000;
const rejectedRetentionMs = 30 * dayMs;
// A checkout can be paid for a day. Earlier runs have handled checkouts that are older than a week.
const [abandonedAfterMs, abandonedUntilMs] = [2 * dayMs, 7 * dayMs];

/** Deletes rejected reports and abandoned checkouts of links, since any client can create them. */
@Injectable()
export class PayLinkRetention implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly loop: PollingLoop;

  constructor(
    private readonly payments: PayLinkPaymentsRepository,
    private readonly requests: PaymentRequestsRepository,
    @Inject(Clock) private readonly clock: Clock,
    @Inject(ServiceLogger) logger: Logger,
  ) {
    const onError = (err: unknown) => logger.warn({ err }, 'old PayLink payments not deleted, retrying');
    this.loop = new PollingLoop(() => this.step(), deleteEveryMs, onError);
  }

  onApplicationBootstrap(): void {
    this.loop.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.loop.stop();
  }

  private async step(): Promise<PollResult> {
    const nowMs = this.clock.now();
    await this.payments.deleteRejected(nowMs - rejectedRetentionMs);
    await this.requests.deleteAbandoned(nowMs - abandonedUntilMs, nowMs - abandonedAfterMs);
    return { kind: 'done' };
  }
}
