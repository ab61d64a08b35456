import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { callContext, DomainError } from '@tollbridge/rpc';
import { Clock } from '@tollbridge/database';
import type { Logger } from '@tollbridge/observability';
import { PollingLoop, ServiceLogger, type PollResult } from '@tollbridge/bootstrap';
import { PaymentExecution } from './attempts/payment-execution';
import { PaymentsRepository } from './payments.repository';

const pauseMs = 10_000;
const batch = 10;
// Longer than the creation of an order takes.
const leaseMs = 30_000;

/** Retries payments that have no order because their process died or received no reply. */
@Injectable()
export class UnplacedPayments implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly polling: PollingLoop;

  constructor(
    private readonly payments: PaymentsRepository,
    private readonly executing: PaymentExecution,
    @Inject(Clock) private readonly clock: Clock,
    @Inject(ServiceLogger) private readonly logger: Logger,
  ) {
    this.polling = new PollingLoop(
      () => this.finish(),
      pauseMs,
      (error) => logger.warn({ err: error }, 'abandoned payments not finished, retrying'),
    );
  }

  onApplicationBootstrap(): void {
    this.polling.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.polling.stop();
  }

  async finish(): Promise<PollResult> {
    const claims = await this.payments.takeAbandoned(this.clock.now(), batch, leaseMs);
    await Promise.all(
      claims.map((claim) =>
        this.executing.place(claim, callContext()).catch((error: unknown) => {
          // A failure with a known outcome is stored with the payment and final. An unknown outcome is retried.
          if (!(error instanceof DomainError) || error.status >= 500)
            this.logger.warn({ err: error, paymentId: claim.id }, 'order creation failed');
        }),
      ),
    );
    return { kind: claims.length === batch ? 'more' : 'done' };
  }
}
