import { Inject, Injectable } from '@nestjs/common';
import { payerlessOrdersApi } from '@tollbridge/contracts';
import { BusClient, type CallContext } from '@tollbridge/rpc';
import { Clock } from '@tollbridge/database';
import type { Logger } from '@tollbridge/observability';
import { ServiceLogger } from '@tollbridge/bootstrap';

// A setting of pay-orders: it changes when that app is deployed.
const freshMs = 20_000;
// While pay-orders does not answer, payers do not wait for it each time.
const retryMs = 2_000;

/** The chains on which a payer needs no address, since the operator's refund account stands in. */
@Injectable()
export class RefundChains {
  private known: ReadonlySet<string> = new Set();
  private readAtMs = -Infinity;
  private reading: Promise<ReadonlySet<string>> | undefined;

  constructor(
    private readonly bus: BusClient,
    @Inject(Clock) private readonly clock: Clock,
    @Inject(ServiceLogger) private readonly logger: Logger,
  ) {}

  /** Never an exception: while pay-orders does not answer, none but those that it named last. */
  async read({ requestId, traceparent }: CallContext): Promise<ReadonlySet<string>> {
    if (this.clock.now() - this.readAtMs < freshMs) return this.known;
    this.reading ??= this.ask({ requestId, traceparent, principal: 'public' }).finally(
      () => (this.reading = undefined),
    );
    return this.reading;
  }

  private async ask(context: CallContext): Promise<ReadonlySet<string>> {
    try {
      const { chains } = await this.bus.call(payerlessOrdersApi.operations.refundChains, {}, context);
      this.known = new Set(chains.map(({ chain }) => chain));
      this.readAtMs = this.clock.now();
    } catch (err) {
      this.readAtMs = this.clock.now() - freshMs + retryMs;
      this.logger.warn({ err }, 'refund chains could not be read');
    }
    return this.known;
  }
}
