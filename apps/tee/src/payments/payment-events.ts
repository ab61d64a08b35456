import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { teeEvents, type PaymentsCommitted } from '@tollbridge/contracts';
import { Clock } from '@tollbridge/database';
import type { Logger } from '@tollbridge/observability';
import {
  longestIdleMs,
  OutboxWorker,
  PollingLoop,
  ServiceLogger,
  type PollResult,
} from '@tollbridge/bootstrap';
import { v7 as uuid } from 'uuid';
import { LedgerWriter } from '../ledger/storage/ledger-writer';
import {
  PaymentEventsRepository,
  type PaymentsEvent,
  type ReceiptsToPublish,
} from './payment-events.repository';

const everyMs = 100;
/** Maximum payments per event, because the list of their sellers must fit into a message. */
const maxPayments = 5_000;

const { type, version } = teeEvents['payments-committed'];

/**
 * Publishes events of committed payments, with many payments per event: one event per commit would cost more than the
 * commit. The position is stored in the transaction of the event, so each payment is published exactly once.
 */
@Injectable()
export class PaymentEvents implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly polling: PollingLoop;
  /** All receipts up to this one are published. */
  private publishedSeq = -1n;

  constructor(
    private readonly repository: PaymentEventsRepository,
    private readonly writer: LedgerWriter,
    private readonly outbox: OutboxWorker,
    @Inject(Clock) private readonly clock: Clock,
    @Inject(ServiceLogger) logger: Logger,
  ) {
    this.polling = new PollingLoop(
      () => this.publish(),
      everyMs,
      (error) => logger.warn({ err: error }, 'payment events not stored, retrying'),
    );
    writer.whenCommitted(() => this.polling.wake());
  }

  onApplicationBootstrap(): void {
    this.polling.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.polling.stop();
  }

  private async publish(): Promise<PollResult> {
    if (!this.writer.isReady) return { kind: 'done' };
    if (this.writer.position.seq === this.publishedSeq) return { kind: 'idle', idleMs: longestIdleMs };
    const { seq, isLast } = await this.repository.publishNext(
      maxPayments,
      () => this.clock.now(),
      paymentsEvent,
    );
    this.publishedSeq = seq;
    this.outbox.wake();
    return { kind: isLast ? 'done' : 'more' };
  }
}

function paymentsEvent({ seq, shares, head }: ReceiptsToPublish, nowMs: number): PaymentsEvent {
  const occurredAt = new Date(nowMs).toISOString();
  const firstSeq = shares.reduce((least, share) => (share.firstSeq < least ? share.firstSeq : least), seq);
  const lastSeq = shares.reduce((most, share) => (share.lastSeq > most ? share.lastSeq : most), 0n);
  const data: PaymentsCommitted = {
    first_seq: firstSeq.toString(),
    last_seq: lastSeq.toString(),
    head: head.toString('hex'),
    payment_count: shares.reduce((count, { paymentCount }) => count + paymentCount, 0),
    sellers: shares.map(({ seller, paymentCount, amountAtomic }) => ({
      to: `0:${seller.toString('hex')}`,
      payment_count: paymentCount,
      amount: amountAtomic.toString(),
    })),
    committed_at: occurredAt,
  };
  return {
    id: uuid(),
    type,
    version,
    aggregateId: 'ledger',
    aggregateVersion: Number(seq),
    occurredAt,
    data,
  };
}
