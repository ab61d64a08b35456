import {
  feature,
  Flag,
  FreeForm,
  Integer,
  ListOf,
  merchantAuth,
  OneOf,
  operation,
  Text,
  Timestamp,
} from '@tollbridge/rpc';
import { CamelNextCursor, Cursor, Limit, NextCursor } from '../list-fields';
import { webhookTypeNames, type WebhookType } from './webhooks.types';

/**
 * - `pending`: not tried yet
 * - `failing`: tried, and will be tried again
 * - `parked`: given up after three days; a replay sends it
 */
export const webhookStatuses = ['pending', 'delivered', 'failing', 'parked'] as const;
export type WebhookStatus = (typeof webhookStatuses)[number];

export const circuitStates = ['closed', 'open'] as const;

const idForm = {
  description: 'The message; the `webhook-id` of each of its attempts',
  pattern: /^msg_[0-9a-f]{32}$/,
  patternMessage: 'must be msg_ and 32 hexadecimal digits in lower case',
  example: 'msg_0198f3a27c5e7d419a553f0e2c1b4a6d',
};
const WebhookId = () => Text(idForm);
const LastStatus = () =>
  Integer({
    description: 'The HTTP status that was answered; null when there was no answer',
    nullable: true,
    example: 500,
  });
const LastError = (description: string) =>
  Text({ description, nullable: true, maxLength: 1_000, example: 'The receiver answered 500.' });

export class WebhooksQuery {
  @OneOf(webhookStatuses, { description: 'Only those in this state', optional: true, example: 'failing' })
  status?: WebhookStatus;
  @OneOf(webhookTypeNames, {
    description: 'Only those of this type',
    optional: true,
    example: 'order.settled',
  })
  type?: WebhookType;
  @Limit(20)
  limit?: number;
  @Cursor(idForm)
  cursor?: string;
}

export class WebhookQuery {
  @Text({ description: 'The message', maxLength: 64, example: idForm.example })
  id: string;
}

export class WebhookMessage {
  @WebhookId()
  id: string;
  @OneOf(webhookTypeNames, { description: 'What it tells', example: 'order.settled' })
  type: WebhookType;
  @OneOf(webhookStatuses, { description: 'Whether it has arrived', example: 'failing' })
  status: WebhookStatus;
  @Integer({ description: 'How often it was sent', min: 0, example: 2 })
  attempts: number;
  @LastStatus()
  lastStatus: number | null;
  @LastError('What went wrong at the last attempt; null when nothing did')
  lastError: string | null;
  @Timestamp({
    description: 'When it is sent next, if the endpoint can be sent to then; null when it is not',
    nullable: true,
    example: '2026-11-20T12:05:12.000Z',
  })
  nextAttemptAt: string | null;
  @Timestamp({ description: 'When it was made', example: '2026-11-20T12:00:07.000Z' })
  createdAt: string;
}

export class WebhookAttempt {
  @Timestamp({ description: 'When it was sent', example: '2026-11-20T12:00:12.000Z' })
  at: string;
  @Integer({ description: 'Milliseconds until the answer, or until it was given up', min: 0, example: 87 })
  ms: number;
  @LastStatus()
  status: number | null;
  @LastError('What went wrong; null when it arrived')
  error: string | null;
}

export class WebhookDetails extends WebhookMessage {
  @FreeForm(
    { type: 'object' },
    {
      description: 'What is sent, as an object; see the type',
      example: { type: 'order.settled', timestamp: '2026-11-20T12:00:07.000Z', data: {} },
    },
  )
  payload: Record<string, unknown>;
  @ListOf(() => WebhookAttempt, { description: 'The last 20 attempts, newest first', maxItems: 20 })
  log: WebhookAttempt[];
}

export class WebhooksReply {
  @ListOf(() => WebhookMessage, { description: 'Newest first', maxItems: 100 })
  webhooks: WebhookMessage[];
  @Integer({ description: 'Number of `webhooks` in this reply', min: 0, example: 1 })
  count: number;
  @Integer({ description: 'The limit that was used', min: 1, example: 20 })
  limit: number;
  @NextCursor()
  next_cursor: string | null;
  @CamelNextCursor()
  nextCursor: string | null;
}

export class NoWebhookFields {}

export class WebhookTestReply {
  @WebhookId()
  id: string;
  @Flag({ description: 'Whether the endpoint took it', example: true })
  delivered: boolean;
  @Integer({
    description: 'The HTTP status that was answered; null when there was no answer',
    nullable: true,
    example: 200,
  })
  status: number | null;
  @Text({
    description: 'What went wrong; null when it arrived',
    nullable: true,
    maxLength: 1_000,
    example: null,
  })
  error: string | null;
  @Integer({ description: 'Milliseconds until the answer, or until it was given up', min: 0, example: 87 })
  ms: number;
}

export class WebhookEndpointReply {
  @Text({
    description: 'Where messages are posted, as the settings say in `webhookUrl`; null when they name none',
    nullable: true,
    maxLength: 2_048,
    example: 'https://shop.example/webhooks',
  })
  url: string | null;
  @Flag({ description: 'False without a URL, and after it has answered 410 Gone', example: true })
  enabled: boolean;
  @OneOf(circuitStates, {
    description: 'Open after five failures in a row: one message at a time finds out whether it is over',
    example: 'closed',
  })
  circuit: (typeof circuitStates)[number];
  @Timestamp({
    description: 'Nothing is sent before; null when nothing holds messages up',
    nullable: true,
    example: null,
  })
  pausedUntil: string | null;
  @Timestamp({
    description: 'When the secret was made; null before the settings have named a URL for the first time',
    nullable: true,
    example: '2026-11-20T12:00:00.000Z',
  })
  secretCreatedAt: string | null;
  @Timestamp({
    description: 'Until when messages are signed by the former secret too; null when they are not',
    nullable: true,
    example: null,
  })
  previousSecretUntil: string | null;
}

const daySeconds = 24 * 60 * 60;

export class RotateWebhookSecretRequest {
  @Integer({
    description: 'How long messages are signed by the former secret too; 0 when somebody else knows it',
    min: 0,
    max: 7 * daySeconds,
    default: daySeconds,
    optional: true,
    example: daySeconds,
  })
  gracePeriodSeconds?: number;
}

export class WebhookSecretReply {
  @Text({
    description: 'The new secret, shown this once: give it to the Standard Webhooks library of your language',
    example: 'whsec_REPLACE_ME_by_the_secret_that_is_answered',
  })
  secret: string;
  @Timestamp({ description: 'When it was made', example: '2026-11-20T12:00:00.000Z' })
  createdAt: string;
  @Timestamp({
    description: 'Until when messages are signed by the former secret too; null when they are not',
    nullable: true,
    example: '2026-11-21T12:00:00.000Z',
  })
  previousSecretUntil: string | null;
}

export class WebhookTypeView {
  @OneOf(webhookTypeNames, { description: 'The type', example: 'order.settled' })
  name: WebhookType;
  @Text({ description: 'When it is sent', maxLength: 1_000, example: 'An order waits for its payment' })
  description: string;
  @FreeForm(
    { type: 'object' },
    { description: 'The JSON Schema of what is posted', example: { type: 'object', properties: {} } },
  )
  schema: Record<string, unknown>;
  @FreeForm(
    { type: 'object' },
    { description: 'An example of what is posted', example: { type: 'order.settled' } },
  )
  example: Record<string, unknown>;
}

export class WebhookTypesReply {
  @ListOf(() => WebhookTypeView, { description: 'Every type', maxItems: 100 })
  types: WebhookTypeView[];
}

export const webhooksApi = feature('merchant', 'webhooks', 'Webhooks', {
  listWebhooks: operation({
    method: 'GET',
    path: '/api/webhooks',
    summary: 'List what was posted to your endpoint',
    input: WebhooksQuery,
    output: WebhooksReply,
    errors: [],
    auth: merchantAuth('read'),
  }),
  getWebhookEndpoint: operation({
    method: 'GET',
    path: '/api/webhooks/endpoint',
    summary: 'Read how your endpoint is doing',
    input: NoWebhookFields,
    output: WebhookEndpointReply,
    errors: [],
    auth: merchantAuth('read'),
  }),
  listWebhookTypes: operation({
    method: 'GET',
    path: '/api/webhooks/types',
    summary: 'List the types of messages, with schema and example',
    input: NoWebhookFields,
    output: WebhookTypesReply,
    errors: [],
    auth: 'public',
  }),
  getWebhook: operation({
    method: 'GET',
    path: '/api/webhooks/{id}',
    summary: 'Read a message and its attempts',
    input: WebhookQuery,
    output: WebhookDetails,
    errors: ['NOT_FOUND'],
    auth: merchantAuth('read'),
  }),
  replayWebhook: operation({
    method: 'POST',
    path: '/api/webhooks/{id}/replay',
    summary: 'Send a message again',
    description:
      'Whatever became of it, and however old it is: with the same `webhook-id`, at once, and by the whole schedule again when it fails.',
    input: WebhookQuery,
    output: WebhookMessage,
    errors: ['NOT_FOUND', 'CONFLICT'],
    auth: merchantAuth('write'),
  }),
  testWebhook: operation({
    operationId: 'sendTestWebhook',
    method: 'POST',
    path: '/api/webhooks/test',
    summary: 'Post a test message and answer what came of it',
    description: 'Sent at once, past all that waits, and once only. If it arrives, what waits is sent too.',
    input: NoWebhookFields,
    output: WebhookTestReply,
    errors: ['CONFLICT'],
    auth: merchantAuth('write'),
    // The endpoint has 15 s.
    timeoutMs: 20_000,
  }),
  rotateWebhookSecret: operation({
    method: 'POST',
    path: '/api/webhooks/secret',
    summary: 'Make a new signing secret, and show it',
    description:
      'Also the way to the first one. Until the grace period is over, messages carry the signatures of both secrets.',
    input: RotateWebhookSecretRequest,
    output: WebhookSecretReply,
    errors: ['CONFLICT'],
    keepsSecret: true,
    // A client with the secret can forge messages to the merchant.
    auth: merchantAuth('webhooks'),
  }),
});
