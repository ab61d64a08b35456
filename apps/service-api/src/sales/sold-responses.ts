import { Inject, Injectable } from '@nestjs/common';
import { Replies, ServiceLogger } from '@tollbridge/bootstrap';
import type { Logger } from '@tollbridge/observability';
import { answerOnce, DomainError, type CallContext, type ReplyStore } from '@tollbridge/rpc';
import { setTimeout as pause } from 'node:timers/promises';
import { isDecline } from './declines';
import type { Sale } from './sale';
import { saleKeyOf, SalesRepository } from './sales.repository';
import type { SoldService } from './sold-services';

// Longer than the lease of a stored reply.
const leaseMarginMs = 30_000;
const firstPauseMs = 50;
const longestPauseMs = 500;
const waitMs = 25_000;

/** The output of a response, or the refunded sale. */
export type Response = { output: unknown } | { refunded: Sale };

/**
 * Sells responses for a fixed price, without a purchase. The reply is stored for a day, and encrypted if it contains a
 * secret. A lease of the sale allows one execution at a time, and excludes a concurrent refund.
 */
@Injectable()
export class SoldResponses {
  constructor(
    private readonly sales: SalesRepository,
    @Inject(Replies) private readonly replies: ReplyStore,
    @Inject(ServiceLogger) private readonly logger: Logger,
  ) {}

  /** @param sale settled or bought @throws DomainError OUTCOME_UNKNOWN: a repeated call returns the outcome */
  async respond(sale: Sale, service: SoldService, input: unknown, context: CallContext): Promise<Response> {
    const { operation } = service;
    const untilMs = performance.now() + waitMs;
    for (
      let pauseMs = firstPauseMs;
      performance.now() < untilMs;
      pauseMs = Math.min(pauseMs * 2, longestPauseMs)
    ) {
      const lease = await this.sales.leaseResponse(sale, operation.timeoutMs + leaseMarginMs);
      if (lease) return this.execute(sale, lease, () => this.once(sale, service, input, context));
      const current = (await this.sales.get(sale.id))!;
      if (current.state === 'bought') return { output: await this.stored(current, service, input, context) };
      if (current.state !== 'settled') return { refunded: current };
      await pause(pauseMs);
    }
    throw inProgress();
  }

  private async execute(sale: Sale, lease: Date, run: () => Promise<unknown>): Promise<Response> {
    let output: unknown;
    try {
      output = await run();
    } catch (error) {
      if (isDecline(error)) return this.decline(sale, error);
      await this.sales
        .endResponseLease(sale, lease)
        .catch((err: unknown) => this.logger.warn({ saleId: sale.id, err }, 'lease of a sale not ended'));
      // The other process is slow, or has stopped.
      throw (error as DomainError).code === 'IDEMPOTENCY_IN_PROGRESS' ? inProgress() : error;
    }
    // The output is returned only after it is stored, because a sale with a delivered output is never refunded.
    if (await this.sales.responded(sale)) return { output };
    const current = (await this.sales.get(sale.id))!;
    return current.state === 'bought' ? { output } : { refunded: current };
  }

  private async decline(sale: Sale, error: DomainError): Promise<Response> {
    const { code, message, details } = error;
    const decided = await this.sales.decide(sale, { code, message, details });
    if (decided.state === 'settled' || decided.state === 'bought') throw error;
    this.logger.info({ saleId: sale.id, code }, 'sale declined, refunding');
    return { refunded: decided };
  }

  /** A reply is stored for a day, and the sale permanently: afterwards, the sale executes nothing. */
  private stored(sale: Sale, service: SoldService, input: unknown, context: CallContext): Promise<unknown> {
    const expired = async (): Promise<never> => {
      throw new DomainError('CONFLICT', 'The reply to this payment is no longer stored. Buy a new one.');
    };
    return this.once(sale, { ...service, run: expired }, input, context);
  }

  private async once(
    { id }: Sale,
    { operation, run }: Pick<SoldService, 'operation' | 'run'>,
    input: unknown,
    context: CallContext,
  ): Promise<unknown> {
    const { claim: _none, ...rest } = context;
    const call = { input, context: { ...rest, idempotencyKey: saleKeyOf(id) } };
    const { reply } = await answerOnce(this.replies, operation, call, (served) => run(input, served));
    return JSON.parse(Buffer.from(reply.bytes).toString());
  }
}

const inProgress = (): DomainError =>
  new DomainError('OUTCOME_UNKNOWN', 'The call is still being served. Send the same request again.');
