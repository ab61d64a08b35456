import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { callContext, DomainError } from '@tollbridge/rpc';
import { Clock } from '@tollbridge/database';
import type { Logger } from '@tollbridge/observability';
import { PollingLoop, ServiceLogger } from '@tollbridge/bootstrap';
import { ExecutePayment } from './execute-payment';
import { PaymentsRepository } from './payments.repository';

const pauseMs = 10_000;
const batch = 10;
// Longer than making an order may take.
const leaseMs = 30_000;

/** Finishes payments whose process fell, or heard no answer, while their order was made. */
@Injectable()
export class UnplacedPayments implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly repeat: PollingLoop;

  constructor(
    private readonly payments: PaymentsRepository,
    private readonly executing: ExecutePayment,
    @Inject(Clock) private readonly clock: Clock,
    @Inject(ServiceLogger) private readonly logger: Logger,
  ) {
    this.repeat = new PollingLoop(
      () => this.finish(),
      pauseMs,
      (error) => logger.warn({ err: error }, 'payments that were left could not be finished; trying again'),
    );
  }

  onApplicationBootstrap(): void {
    this.repeat.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.repeat.stop();
  }

  async finish(): Promise<'more' | 'done'> {
    const claims = await this.payments.takeAbandoned(this.clock.now(), batch, leaseMs);
    await Promise.all(
      claims.map((claim) =>
        this.executing.place(claim, callContext()).catch((error: unknown) => {
          // A refusal is noted with the payment; the others come again.
          if (!(error instanceof DomainError) || error.status >= 500)
            this.logger.warn({ err: error, paymentId: claim.id }, 'the order of a payment is not there yet');
        }),
      ),
    );
    return claims.length === batch ? 'more' : 'done';
  }
}
