import { Controller, Inject } from '@nestjs/common';
import {
  webhooksApi,
  type ListenToWebhooksReply,
  type ListenToWebhooksRequest,
  type NoWebhookFields,
  type RotateWebhookSecretRequest,
  type WebhookDetails,
  type WebhookEndpointReply,
  type WebhookMessage,
  type WebhookQuery,
  type WebhookSecretReply,
  type WebhooksQuery,
  type WebhooksReply,
  type WebhookTestReply,
  type WebhookTestRequest,
  type WebhookTypesReply,
} from '@tollbridge/contracts';
import { DomainError, Handles, merchantOf, readPage, type CallContext } from '@tollbridge/rpc';
import { Clock, storeReply } from '@tollbridge/database';
import { WorkHints } from '@tollbridge/bootstrap';
import { WebhookEndpointsRepository } from './webhook-endpoints.repository';
import { WebhookMessagesRepository } from './webhook-messages.repository';
import { WebhookSecrets } from './webhook-secrets';
import { WebhookTests } from './webhook-tests';
import { detailsView, endpointView, messageView, typesView } from './webhook-view';

@Controller()
@Handles(webhooksApi)
export class WebhooksHandlers {
  constructor(
    private readonly messages: WebhookMessagesRepository,
    private readonly endpoints: WebhookEndpointsRepository,
    private readonly tests: WebhookTests,
    private readonly secrets: WebhookSecrets,
    private readonly hints: WorkHints,
    @Inject(Clock) private readonly clock: Clock,
  ) {}

  async listWebhooks(query: WebhooksQuery, context: CallContext): Promise<WebhooksReply> {
    const { status, type, cursor: before } = query;
    const { page, limit, next } = await readPage(
      query.limit!,
      (most) => this.messages.list(merchantOf(context), { status, type, before, limit: most }),
      ({ id }) => id,
    );
    return {
      webhooks: page.map(messageView),
      count: page.length,
      limit,
      next_cursor: next,
      nextCursor: next,
    };
  }

  async getWebhook({ id }: WebhookQuery, context: CallContext): Promise<WebhookDetails> {
    const message = await this.messages.find(merchantOf(context), id);
    if (!message) throw unknownMessage();
    return detailsView(message);
  }

  async replayWebhook({ id }: WebhookQuery, context: CallContext): Promise<WebhookMessage> {
    const wallet = merchantOf(context);
    let reply: WebhookMessage | undefined;
    const outcome = await this.messages.replay(wallet, id, this.clock.now(), (client, message) =>
      storeReply(client, context, (reply = messageView(message))),
    );
    if (outcome === 'unknown') throw unknownMessage();
    if (outcome === 'noEndpoint') throw noEndpoint();
    this.hints.written();
    return reply!;
  }

  async listenToWebhooks(
    { seconds }: ListenToWebhooksRequest,
    context: CallContext,
  ): Promise<ListenToWebhooksReply> {
    let reply: ListenToWebhooksReply | undefined;
    const untilMs = this.clock.now() + seconds! * 1000;
    await this.endpoints.listen(merchantOf(context), untilMs, (client, listening) => {
      reply = { until: new Date(listening.untilMs).toISOString(), url: listening.url };
      return storeReply(client, context, reply);
    });
    return reply!;
  }

  async testWebhook(
    { type = 'webhook.test' }: WebhookTestRequest,
    context: CallContext,
  ): Promise<WebhookTestReply> {
    const reply = await this.tests.run(merchantOf(context), type, context.traceparent);
    if (!reply) throw noEndpoint();
    return reply;
  }

  async getWebhookEndpoint(_query: NoWebhookFields, context: CallContext): Promise<WebhookEndpointReply> {
    return endpointView(await this.endpoints.find(merchantOf(context)), this.clock.now());
  }

  async resumeWebhooks(_query: NoWebhookFields, context: CallContext): Promise<WebhookEndpointReply> {
    let reply: WebhookEndpointReply | undefined;
    await this.endpoints.resume(merchantOf(context), (client, endpoint) =>
      storeReply(client, context, (reply = endpointView(endpoint, this.clock.now()))),
    );
    if (!reply) throw noEndpoint();
    this.hints.written();
    return reply;
  }

  async rotateWebhookSecret(
    { gracePeriodSeconds }: RotateWebhookSecretRequest,
    context: CallContext,
  ): Promise<WebhookSecretReply> {
    const nowMs = this.clock.now();
    const graceMs = gracePeriodSeconds! * 1000;
    const reply = {
      secret: this.secrets.create(),
      createdAt: new Date(nowMs).toISOString(),
      previousSecretUntil: graceMs === 0 ? null : new Date(nowMs + graceMs).toISOString(),
    };
    const isRotated = await this.endpoints.rotate(merchantOf(context), reply, (client) =>
      storeReply(client, context, reply),
    );
    if (!isRotated) throw noEndpoint();
    return reply;
  }

  listWebhookTypes(): WebhookTypesReply {
    return typesView;
  }
}

const unknownMessage = (): DomainError =>
  new DomainError('NOT_FOUND', 'The webhook message does not exist. GET /api/webhooks lists the ids.');
const noEndpoint = (): DomainError =>
  new DomainError('CONFLICT', 'Your settings have no webhookUrl. Set it with PUT /api/settings.');
