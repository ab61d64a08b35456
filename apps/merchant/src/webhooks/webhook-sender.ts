import { Inject, Injectable } from '@nestjs/common';
import { Clock, realTimeOf } from '@tollbridge/database';
import { SpanKind, startSpan } from '@tollbridge/observability';
import { parseTraceparent } from '@tollbridge/rpc';
import { ServiceConfig } from '@tollbridge/bootstrap';
import type { MerchantConfig } from '../config';
import { healthAfter, nextOf, type Attempt } from './delivery';
import { Receiver } from './send-webhook';
import type { StoredEndpoint } from './webhook-endpoints.repository';
import type { Outcome, QueuedMessage } from './webhook-queue.repository';
import { WebhookSecrets } from './webhook-secrets';
import { reachIn } from './webhook-url';

// The version of the message format, which is independent of the product version.
const version = '1.0';

/** Sends messages, and derives the next state of each message and its endpoint. */
@Injectable()
export class WebhookSender {
  constructor(
    private readonly secrets: WebhookSecrets,
    @Inject(Clock) private readonly clock: Clock,
    @Inject(ServiceConfig) private readonly config: Pick<MerchantConfig, 'environment'>,
  ) {}

  receiverAt(url: string): Receiver {
    return new Receiver(url, { reach: reachIn(this.config.environment), version });
  }

  async send(receiver: Receiver, message: QueuedMessage): Promise<Outcome> {
    const { progress, endpoint } = message;
    const attempt = await this.attempt(receiver, message);
    const nowMs = this.clock.now();
    return {
      attempt,
      next: nextOf(progress, attempt, nowMs, Math.random()),
      health: healthAfter(endpoint, attempt, nowMs, Math.random()),
    };
  }

  private async attempt(receiver: Receiver, message: QueuedMessage): Promise<Attempt> {
    const { id, payload, traceparent, endpoint } = message;
    const secrets = this.validSecrets(endpoint);
    const span = startSpan('deliver webhook', traceparent ?? '', SpanKind.CLIENT, {
      'http.request.method': 'POST',
      'tollbridge.webhook.id': id,
    });
    // Events may contain any text, and an invalid header would fail the delivery.
    const sent = parseTraceparent(span?.traceparent ?? traceparent) ?? null;
    const attempt = await receiver.send({ id, payload, secrets, traceparent: sent }, realTimeOf(this.clock));
    const status = attempt.status === null ? {} : { 'http.response.status_code': attempt.status };
    span?.end(status, attempt.error === null ? undefined : String(attempt.status ?? 'no answer'));
    return attempt;
  }

  private validSecrets({ wallet, secret, previousSecret, previousSecretUntilMs }: StoredEndpoint): string[] {
    const isInOverlap = previousSecretUntilMs !== null && previousSecretUntilMs > this.clock.now();
    const sealed = [secret, ...(previousSecret && isInOverlap ? [previousSecret] : [])];
    return sealed.flatMap((each) => this.secrets.open(each, wallet) ?? []);
  }
}
