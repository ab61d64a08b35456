import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { PollingLoop, ServiceLogger, type PollResult } from '@tollbridge/bootstrap';
import { Clock } from '@tollbridge/database';
import { Metrics, type Logger } from '@tollbridge/observability';
import { WebhookEndpointsRepository } from '../webhooks/webhook-endpoints.repository';
import { Peppers } from './peppers';
import { PeppersRepository, type OutdatedSecrets } from './peppers.repository';

const everyMs = 60_000;
const pageLength = 100;

/**
 * While the pepper is being replaced, re-encrypts webhook secrets under the new one, and counts secrets under the
 * former one. Keys and sessions change at their next use. All replicas may run it concurrently.
 */
@Injectable()
export class PepperRotation implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly loop: PollingLoop;
  private readonly gauge;
  private reported = '';

  constructor(
    private readonly peppers: Peppers,
    private readonly repository: PeppersRepository,
    private readonly endpoints: WebhookEndpointsRepository,
    @Inject(Clock) private readonly clock: Clock,
    @Inject(ServiceLogger) private readonly logger: Logger,
    metrics: Metrics,
  ) {
    const onError = (err: unknown) => logger.warn({ err }, 'pepper rotation failed, retrying');
    this.loop = new PollingLoop(() => this.step(), everyMs, onError);
    this.gauge = metrics.gauge(
      'tollbridge_secrets_on_former_pepper',
      'Stored secrets that are not under the first value of MERCHANT_KEY_PEPPER',
      ['kind'],
    );
  }

  async onApplicationBootstrap(): Promise<void> {
    if (this.peppers.isRotating) this.loop.start();
    else await this.reportUnknown();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.loop.stop();
  }

  async step(): Promise<PollResult> {
    for (let after: string | undefined = ''; after !== undefined;)
      after = await this.endpoints.reseal(after, pageLength);
    const outdated = await this.repository.countOutdated(false, this.clock.now());
    this.show(outdated);
    const line = JSON.stringify(outdated);
    if (line !== this.reported) this.logger.info(outdated, 'pepper rotation: secrets on the former pepper');
    this.reported = line;
    return { kind: 'done' };
  }

  /** With a single configured pepper, secrets under another one are invalid: it was removed too early or misspelled. */
  private async reportUnknown(): Promise<void> {
    const outdated = await this.repository.countOutdated(true, this.clock.now());
    this.show(outdated);
    if (Object.values(outdated).some((count) => count > 0))
      this.logger.warn(outdated, 'secrets under a pepper that is not configured are invalid');
  }

  private show({ apiKeys, sessions, webhooks }: OutdatedSecrets): void {
    this.gauge.set({ kind: 'api_key' }, apiKeys);
    this.gauge.set({ kind: 'session' }, sessions);
    this.gauge.set({ kind: 'webhook' }, webhooks);
  }
}
