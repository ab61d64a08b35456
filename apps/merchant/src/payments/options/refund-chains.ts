import { Inject, Injectable } from '@nestjs/common';
import { payerlessOrdersApi } from '@tollbridge/contracts';
import { BusClient, type CallContext } from '@tollbridge/rpc';
import { Clock } from '@tollbridge/database';
import type { Logger } from '@tollbridge/observability';
import { ServiceLogger } from '@tollbridge/bootstrap';

// The chains are a setting of pay-orders, and change only when that app is deployed.
const freshMs = 20_000;
// While pay-orders does not answer, only one request in this period waits for it.
const retryMs = 2_000;

/** The chains where the operator's refund account replaces the payer's address. */
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

  /** Never rejects: while pay-orders does not answer, returns the last known chains. */
  async read({ requestId, traceparent }: CallContext): Promise<ReadonlySet<string>> {
    if (this.clock.now() - this.readAtMs < freshMs) return this.known;
    this.reading ??= this.request({ requestId, traceparent, principal: 'public' }).finally(
      () => (this.reading = undefined),
    );
    return this.reading;
  }

  private async request(context: CallContext): Promise<ReadonlySet<string>> {
    try {
      const { chains } = await this.bus.call(payerlessOrdersApi.operations.refundChains, {}, context);
      this.known = new Set(chains.map(({ chain }) => chain));
      this.readAtMs = this.clock.now();
    } catch (err) {
      this.readAtMs = this.clock.now() - freshMs + retryMs;
      this.logger.warn({ err }, 'refund chains read failed');
    }
    return this.known;
  }
}
