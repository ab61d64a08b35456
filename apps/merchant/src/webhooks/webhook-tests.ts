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

// Each holds a call and a socket for up to 15 s; one merchant must not take the places of all.
const maxAtOnce = 32;
const maxAtOnceOfOne = 4;

/** Test messages, which a merchant waits for: they are sent past the queue, and once. */
@Injectable()
export class WebhookTests {
  /** Whose they are. */
  private readonly underWay: string[] = [];

  constructor(
    private readonly endpoints: WebhookEndpointsRepository,
    private readonly messages: WebhookMessagesRepository,
    private readonly queue: WebhookQueueRepository,
    private readonly sender: WebhookSender,
    private readonly settings: SettingsRepository,
    @Inject(Clock) private readonly clock: Clock,
  ) {}

  /** Undefined where there is nowhere to send a test to. */
  async run(wallet: string): Promise<WebhookTestReply | undefined> {
    const own = this.underWay.filter((other) => other === wallet);
    if (this.underWay.length >= maxAtOnce || own.length >= maxAtOnceOfOne)
      throw new DomainError(
        'SERVICE_UNAVAILABLE',
        'Too many webhook tests are running. Retry after retryAfter seconds.',
      );
    this.underWay.push(wallet);
    try {
      return await this.test(wallet);
    } finally {
      this.underWay.splice(this.underWay.indexOf(wallet), 1);
    }
  }

  private async test(wallet: string): Promise<WebhookTestReply | undefined> {
    const endpoint = await this.endpoints.find(wallet);
    if (!endpoint?.url) return undefined;
    const nowMs = this.clock.now();
    const data = { wallet, message: 'This is a test: your endpoint can be reached.' };
    const { id, payload } = newMessage('webhook.test', data, {
      nowMs,
      storeName: await this.settings.storeName(wallet),
    });
    await this.messages.insertParked({ id, wallet, type: 'webhook.test', payload, nowMs });
    const progress = { scheduleFromMs: nowMs, scheduleAttempts: 0 };
    const message = { id, payload, progress, replays: 0, endpoint: { ...endpoint, url: endpoint.url } };
    const receiver = this.sender.receiverAt(endpoint.url);
    try {
      const outcome = await this.sender.send(receiver, message);
      const { status, error, tookMs: ms } = outcome.attempt;
      // A test that fails is not repeated, and says nothing that the queue does not find out by itself.
      const failed = { status: 'parked', nextAttemptMs: null } as const;
      const noted = error === null ? outcome : { ...outcome, next: failed, health: undefined };
      await this.queue.record(message, noted);
      return { id, delivered: error === null, status, error, ms };
    } finally {
      receiver.close();
    }
  }
}
