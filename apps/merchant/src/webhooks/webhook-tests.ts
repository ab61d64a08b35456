import { Inject, Injectable } from '@nestjs/common';
import {
  webhookExample,
  type WebhookData,
  type WebhookTestReply,
  type WebhookType,
} from '@tollbridge/contracts';
import { ServiceConfig } from '@tollbridge/bootstrap';
import { DomainError } from '@tollbridge/rpc';
import { Clock } from '@tollbridge/database';
import type { MerchantConfig } from '../config';
import { SettingsRepository } from '../settings/settings.repository';
import { WebhookEndpointsRepository, type StoredEndpoint } from './webhook-endpoints.repository';
import { WebhookMessagesRepository } from './webhook-messages.repository';
import { newMessage } from './webhook-outbox';
import { WebhookQueueRepository } from './webhook-queue.repository';
import { WebhookSender } from './webhook-sender';

// Each test occupies a call and a socket for up to 15 s, and one merchant must not use all of them.
const maxAtOnce = 32;
const maxAtOnceOfOne = 4;

/** Sends test messages. The merchant waits for the result, so a test message is sent once, outside the queue. */
@Injectable()
export class WebhookTests {
  /** The wallets of running tests, once for each test. */
  private readonly running: string[] = [];

  constructor(
    private readonly endpoints: WebhookEndpointsRepository,
    private readonly messages: WebhookMessagesRepository,
    private readonly queue: WebhookQueueRepository,
    private readonly sender: WebhookSender,
    private readonly settings: SettingsRepository,
    @Inject(Clock) private readonly clock: Clock,
    @Inject(ServiceConfig) private readonly config: Pick<MerchantConfig, 'environment'>,
  ) {}

  /**
   * Undefined when the wallet has no endpoint and no listener.
   * @throws DomainError `CONFLICT`, `SERVICE_UNAVAILABLE`
   */
  async run(wallet: string, type: WebhookType, traceparent: string): Promise<WebhookTestReply | undefined> {
    // With a valid signature, a receiver would process an order that does not exist.
    if (type !== 'webhook.test' && this.config.environment !== 'sandbox')
      throw new DomainError('CONFLICT', `Examples of ${type} are sent in the sandbox only.`);
    const own = this.running.filter((other) => other === wallet);
    if (this.running.length >= maxAtOnce || own.length >= maxAtOnceOfOne)
      throw new DomainError(
        'SERVICE_UNAVAILABLE',
        'Too many webhook tests are running. Retry after retryAfter seconds.',
      );
    this.running.push(wallet);
    try {
      return await this.test(wallet, type, traceparent);
    } finally {
      this.running.splice(this.running.indexOf(wallet), 1);
    }
  }

  private async test(
    wallet: string,
    type: WebhookType,
    traceparent: string,
  ): Promise<WebhookTestReply | undefined> {
    const endpoint = await this.endpoints.find(wallet);
    const nowMs = this.clock.now();
    if (!endpoint || (endpoint.url === null && (endpoint.listenedUntilMs ?? 0) <= nowMs)) return undefined;
    const { id, payload } = newMessage(type, dataOf(type, wallet), {
      nowMs,
      storeName: await this.settings.storeName(wallet),
    });
    await this.messages.insertExhausted({ id, wallet, type, payload, nowMs });
    if (endpoint.url === null)
      return { id, delivered: false, status: null, error: 'Recorded for listeners: no webhookUrl.', ms: 0 };
    return this.send({ ...endpoint, url: endpoint.url }, { id, payload, traceparent, nowMs });
  }

  private async send(
    endpoint: StoredEndpoint & { url: string },
    { nowMs, ...sent }: { id: string; payload: string; traceparent: string; nowMs: number },
  ): Promise<WebhookTestReply> {
    const progress = { scheduleFromMs: nowMs, scheduleAttempts: 0 };
    const message = { ...sent, progress, replays: 0, endpoint };
    const receiver = this.sender.receiverAt(endpoint.url);
    try {
      const outcome = await this.sender.send(receiver, message);
      const { status, error, tookMs: ms } = outcome.attempt;
      // A failed test is not retried, and does not change the health of the endpoint.
      const failed = { status: 'parked', nextAttemptMs: null } as const;
      const recorded = error === null ? outcome : { ...outcome, next: failed, health: undefined };
      await this.queue.record(message, recorded);
      return { id: sent.id, delivered: error === null, status, error, ms };
    } finally {
      receiver.close();
    }
  }
}

function dataOf(type: WebhookType, wallet: string): WebhookData<WebhookType> {
  if (type === 'webhook.test') return { wallet, message: 'This is a test: your endpoint can be reached.' };
  return webhookExample(type)['data'] as WebhookData<WebhookType>;
}
