import { Inject, Injectable } from '@nestjs/common';
import { scrapeFigures, ServiceLogger } from '@tollbridge/bootstrap';
import { Clock } from '@tollbridge/database';
import { Metrics, type Logger } from '@tollbridge/observability';
import { WebhookQueueRepository } from './webhook-queue.repository';

// The buckets range from an immediate delivery to the first retries.
const delayBuckets = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 3_600];

/** Metrics for operators: the length of the webhook queue, and the delay of first attempts. */
@Injectable()
export class WebhookFigures {
  private readonly delays;

  constructor(
    queue: WebhookQueueRepository,
    metrics: Metrics,
    @Inject(Clock) clock: Clock,
    @Inject(ServiceLogger) logger: Logger,
  ) {
    this.delays = metrics.histogram(
      'tollbridge_webhook_delay_seconds',
      'Time from the change to the end of the first delivery attempt, whatever the endpoint answers',
      [],
      delayBuckets,
    );
    const waiting = metrics.gauge(
      'tollbridge_webhooks_waiting',
      'Webhooks that are not delivered yet, those of unhealthy endpoints included; counted up to 20000',
    );
    const oldest = metrics.gauge('tollbridge_webhooks_oldest_seconds', 'Age of the oldest of them');
    const overdue = metrics.gauge(
      'tollbridge_webhooks_overdue_seconds',
      'How long a webhook could have been sent: a sign of too few or stopped workers, not of a bad endpoint',
    );
    scrapeFigures(metrics, {
      read: async () => {
        const [{ count, sinceMs }, dueMs] = [await queue.countWaiting(), await queue.nextDueMs()];
        const age = (ms: number | null): number => (ms === null ? 0 : Math.max(0, clock.now() - ms) / 1000);
        waiting.set(count);
        oldest.set(age(sinceMs));
        overdue.set(age(dueMs));
      },
      clear: () => [waiting, oldest, overdue].forEach((gauge) => gauge.remove()),
      onError: (error) => logger.warn({ err: error }, 'webhook figures not read'),
    });
  }

  firstAttempt(delayMs: number): void {
    this.delays.observe(Math.max(0, delayMs) / 1000);
  }
}
