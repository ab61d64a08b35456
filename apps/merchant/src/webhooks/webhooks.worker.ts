import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Clock } from '@tollbridge/database';
import { Metrics, type Logger } from '@tollbridge/observability';
import { PollingLoop, ServiceLogger, WorkHints, type PollResult } from '@tollbridge/bootstrap';
import { v4 as uuid } from 'uuid';
import { sendTimeoutMs, type Receiver } from './send-webhook';
import { WebhookFigures } from './webhook-figures';
import { WebhookQueueRepository, type QueuedMessage } from './webhook-queue.repository';
import { WebhookSender } from './webhook-sender';

// The longest delay of a due message.
const pollEveryMs = 200;
// Each delivery occupies a socket and a few kilobytes. A receiver that never answers times out after 15 s, five times,
// and then once an hour.
const maxEndpointsAtOnce = 128;
// After this time, an endpoint with more messages yields to the next endpoint.
const turnMs = 20_000;
// The time of a turn and of an attempt that starts at its end, doubled for a slow database.
const leaseMs = 2 * (turnMs + sendTimeoutMs);
const exhaustEveryMs = 60_000;
const exhaustedAtOnce = 500;

/**
 * Delivers due messages. Any number of replicas may run it, because each endpoint is leased. No database transaction is
 * open during a delivery. When a process dies after sending a message, the message is sent again with the same id.
 */
@Injectable()
export class WebhooksWorker implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly polling: PollingLoop;
  private readonly exhausting: PollingLoop;
  private readonly turns = new Set<Promise<void>>();
  private readonly count: (outcome: 'delivered' | 'failed') => void;
  private isStopping = false;

  constructor(
    private readonly queue: WebhookQueueRepository,
    private readonly sender: WebhookSender,
    private readonly hints: WorkHints,
    private readonly figures: WebhookFigures,
    metrics: Metrics,
    @Inject(Clock) private readonly clock: Clock,
    @Inject(ServiceLogger) private readonly logger: Logger,
  ) {
    const onError = (error: unknown) => logger.warn({ err: error }, 'webhook queue read failed, retrying');
    this.polling = new PollingLoop(() => this.step(), pollEveryMs, onError);
    hints.wakes(this.polling);
    this.exhausting = new PollingLoop(() => this.exhaustOld(), exhaustEveryMs, onError);
    const attempts = metrics.counter('tollbridge_webhook_attempts_total', 'Delivery attempts of webhooks', [
      'outcome',
    ]);
    const counters = { delivered: attempts.labels('delivered'), failed: attempts.labels('failed') };
    for (const counter of Object.values(counters)) counter.inc(0);
    this.count = (outcome) => counters[outcome].inc();
  }

  onApplicationBootstrap(): void {
    this.polling.start();
    this.exhausting.start();
  }

  /** Waits at most 15 s for running deliveries. */
  async onApplicationShutdown(): Promise<void> {
    this.isStopping = true;
    await Promise.all([this.polling.stop(), this.exhausting.stop()]);
    await Promise.all(this.turns);
  }

  private async step(): Promise<PollResult> {
    const free = maxEndpointsAtOnce - this.turns.size;
    if (free <= 0) return { kind: 'done' };
    const lease = uuid();
    const nowMs = this.clock.now();
    const wallets = await this.queue.lease(lease, free, nowMs, nowMs + leaseMs);
    if (wallets.length === 0) return this.hints.idleUntil(await this.queue.nextDueMs());
    for (const wallet of wallets) {
      const turn = this.turn(wallet, lease).catch((error: unknown) =>
        this.logger.warn({ err: error, wallet }, 'webhook deliveries of an endpoint failed, retrying'),
      );
      this.turns.add(turn);
      // Messages that were written while the endpoint was leased, and retries, wait for its next lease.
      void turn.finally(() => {
        this.turns.delete(turn);
        this.hints.written();
      });
    }
    return { kind: 'done' };
  }

  /** Sends the messages of one endpoint in order, until no message is due or the turn ends. */
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
    const { status, error, atMs, tookMs } = outcome.attempt;
    const { scheduleFromMs, scheduleAttempts } = message.progress;
    // The delay of an unhealthy endpoint is not a delay of the sender, so it is not measured.
    if (scheduleAttempts === 0 && message.endpoint.failuresInARow === 0)
      this.figures.firstAttempt(atMs + tookMs - scheduleFromMs);
    this.count(error === null ? 'delivered' : 'failed');
    if (error !== null)
      this.logger.info({ webhook: message.id, status, reason: error }, 'webhook delivery failed');
    await this.queue.record(message, outcome, lease);
  }

  private async exhaustOld(): Promise<PollResult> {
    const exhausted = await this.queue.exhaustOld(this.clock.now(), exhaustedAtOnce);
    if (exhausted > 0) this.logger.info({ exhausted }, 'webhooks exhausted');
    return { kind: exhausted === exhaustedAtOnce ? 'more' : 'done' };
  }
}
