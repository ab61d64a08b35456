import { Inject, Injectable } from '@nestjs/common';
import type { WebhookTestReply } from '@tollbridge/contracts';
import { DomainError } from '@tollbridge/rpc';
import { Clock } from '@tollbridge/database';
import { SettingsRepository } from '../settings/settings.repository';
import { WebhookEndpointsRepository } from './webhook-endpoints.repository';
import { WebhookMessagesRepository } from './webhook-messages.repository';
import { newMessage } from './webhook-outbox';
import { WebhookQueueRepository } from './webhook-queue.repository';
import { WebhookSender } from './webhook-sender';

// Each occupies a call and a socket for up to 15 s; one merchant must not use all of them.
const maxAtOnce = 32;
const maxAtOnceOfOne = 4;

/** Test messages. A merchant waits for the result: they are sent once, outside the queue. */
@Injectable()
export class WebhookTests {
  /** The wallets of running tests. */
  private readonly running: string[] = [];

  constructor(
    private readonly endpoints: WebhookEndpointsRepository,
    private readonly messages: WebhookMessagesRepository,
    private readonly queue: WebhookQueueRepository,
    private readonly sender: WebhookSender,
    private readonly settings: SettingsRepository,
    @Inject(Clock) private readonly clock: Clock,
  ) {}

  /** Undefined when the wallet has no endpoint. */
  async run(wallet: string, traceparent: string): Promise<WebhookTestReply | undefined> {
    const own = this.running.filter((other) => other === wallet);
    if (this.running.length >= maxAtOnce || own.length >= maxAtOnceOfOne)
      throw new DomainError(
        'SERVICE_UNAVAILABLE',
        'Too many webhook tests are running. Retry after retryAfter seconds.',
      );
    this.running.push(wallet);
    try {
      return await this.test(wallet, traceparent);
    } finally {
      this.running.splice(this.running.indexOf(wallet), 1);
    }
  }

  private async test(wallet: string, traceparent: string): Promise<WebhookTestReply | undefined> {
    const endpoint = await this.endpoints.find(wallet);
    if (!endpoint?.url) return undefined;
    const nowMs = this.clock.now();
    const data = { wallet, message: 'This is a test: your endpoint can be reached.' };
    const { id, payload } = newMessage('webhook.test', data, {
      nowMs,
      storeName: await this.settings.storeName(wallet),
    });
    await this.messages.insertExhausted({ id, wallet, type: 'webhook.test', payload, nowMs });
    const progress = { scheduleFromMs: nowMs, scheduleAttempts: 0 };
    const message = {
      id,
      payload,
      traceparent,
      progress,
      replays: 0,
      endpoint: { ...endpoint, url: endpoint.url },
    };
    const receiver = this.sender.receiverAt(endpoint.url);
    try {
      const outcome = await this.sender.send(receiver, message);
      const { status, error, tookMs: ms } = outcome.attempt;
      // A failed test is not retried, and does not affect the health of the endpoint.
      const failed = { status: 'parked', nextAttemptMs: null } as const;
      const recorded = error === null ? outcome : { ...outcome, next: failed, health: undefined };
      await this.queue.record(message, recorded);
      return { id, delivered: error === null, status, error, ms };
    } finally {
      receiver.close();
    }
  }
}
