import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Clock } from '@tollbridge/database';
import { Metrics, type Logger } from '@tollbridge/observability';
import { PollingLoop, ServiceLogger, WorkHints, type PollResult } from '@tollbridge/bootstrap';
import { v4 as uuid } from 'uuid';
import { sendTimeoutMs, type Receiver } from './send-webhook';
import { WebhookQueueRepository, type QueuedMessage } from './webhook-queue.repository';
import { WebhookSender } from './webhook-sender';

// How long a message may wait before anybody looks.
const pollEveryMs = 200;
// Each holds a socket and a few kilobytes; a silent one takes its place for 15 s, five times, and then once an hour.
const maxEndpointsAtOnce = 128;
// Then the next in line gets the place of an endpoint that has more to be sent.
const turnMs = 20_000;
// A turn, an attempt that begins at its end, and as much again for a database that is slow.
const leaseMs = 2 * (turnMs + sendTimeoutMs);
const parkEveryMs = 60_000;
const parkedAtOnce = 500;

/**
 * Sends what is due. Any number of replicas may do it: an endpoint is leased by one of them. No transaction is open while
 * a receiver is waited for. A process that dies after a message was sent leaves it due: it is sent again, with its id.
 */
@Injectable()
export class WebhooksWorker implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly polling: PollingLoop;
  private readonly parking: PollingLoop;
  private readonly turns = new Set<Promise<void>>();
  private readonly count: (outcome: 'delivered' | 'failed') => void;
  private isStopping = false;

  constructor(
    private readonly queue: WebhookQueueRepository,
    private readonly sender: WebhookSender,
    private readonly hints: WorkHints,
    metrics: Metrics,
    @Inject(Clock) private readonly clock: Clock,
    @Inject(ServiceLogger) private readonly logger: Logger,
  ) {
    const onError = (error: unknown) =>
      logger.warn({ err: error }, 'webhooks could not be looked at; trying again');
    this.polling = new PollingLoop(() => this.step(), pollEveryMs, onError);
    hints.wakes(this.polling);
    this.parking = new PollingLoop(() => this.park(), parkEveryMs, onError);
    const attempts = metrics.counter('tollbridge_webhook_attempts_total', 'Webhooks that were sent', [
      'outcome',
    ]);
    this.count = (outcome) => attempts.inc({ outcome });
  }

  onApplicationBootstrap(): void {
    this.polling.start();
    this.parking.start();
  }

  /** What is being sent is waited for: 15 s at most. */
  async onApplicationShutdown(): Promise<void> {
    this.isStopping = true;
    await Promise.all([this.polling.stop(), this.parking.stop()]);
    await Promise.all(this.turns);
  }

  private async step(): Promise<PollResult> {
    const free = maxEndpointsAtOnce - this.turns.size;
    if (free <= 0) return 'done';
    const lease = uuid();
    const nowMs = this.clock.now();
    const wallets = await this.queue.lease(lease, free, nowMs, nowMs + leaseMs);
    if (wallets.length === 0) return this.hints.idleUntil(await this.queue.nextDueMs());
    for (const wallet of wallets) {
      const turn = this.turn(wallet, lease).catch((error: unknown) =>
        this.logger.warn({ err: error, wallet }, 'webhooks of an endpoint could not be sent; trying again'),
      );
      this.turns.add(turn);
      // What was written while the endpoint was leased, or is to be retried, waits for its next lease.
      void turn.finally(() => {
        this.turns.delete(turn);
        this.hints.written();
      });
    }
    return 'done';
  }

  /** Sends to one endpoint, one message after the other, until nothing is due or its time is up. */
  private async turn(wallet: string, lease: string): Promise<void> {
    const endMs = performance.now() + turnMs;
    let receiver: Receiver | undefined;
    try {
      while (!this.isStopping && performance.now() < endMs) {
        const message = await this.queue.next(wallet, lease, this.clock.now());
        if (!message) break;
        const { url } = message.endpoint;
        if (receiver?.url !== url) {
          receiver?.close();
          receiver = this.sender.receiverAt(url);
        }
        await this.deliver(receiver, message, lease);
      }
      await this.queue.release(wallet, lease);
    } finally {
      receiver?.close();
    }
  }

  private async deliver(receiver: Receiver, message: QueuedMessage, lease: string): Promise<void> {
    const outcome = await this.sender.send(receiver, message);
    const { status, error } = outcome.attempt;
    this.count(error === null ? 'delivered' : 'failed');
    if (error !== null)
      this.logger.info({ webhook: message.id, status, reason: error }, 'a webhook did not arrive');
    await this.queue.record(message, outcome, lease);
  }

  private async park(): Promise<'more' | 'done'> {
    const parked = await this.queue.parkOld(this.clock.now(), parkedAtOnce);
    if (parked > 0) this.logger.info({ parked }, 'webhooks that nobody takes were parked');
    return parked === parkedAtOnce ? 'more' : 'done';
  }
}
