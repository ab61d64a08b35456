import { feature, merchantAuth, operation } from '@tollbridge/rpc';
import { Flag, FreeForm, Integer, ListOf, OneOf, Secret, Text, Timestamp, Unsigned } from '../decorators';
import { CamelNextCursor, Cursor, Limit, NextCursor } from '../list-fields';
import { webhookTypeNames, type WebhookType } from './webhooks.types';

/**
 * - `pending`: not attempted yet
 * - `failing`: attempted, and will be retried
 * - `parked`: retries were exhausted after three days, or there was only a listener without an endpoint; a replay sends
 * it
 */
export const webhookStatuses = ['pending', 'delivered', 'failing', 'parked'] as const;
export type WebhookStatus = (typeof webhookStatuses)[number];

export const circuitStates = ['closed', 'open'] as const;

const idForm = {
  description: 'Id of the message; the `webhook-id` of each attempt',
  pattern: /^msg_[0-9a-f]{32}$/,
  patternMessage: 'must be msg_ and 32 hexadecimal digits in lower case',
  example: 'msg_0198f3a27c5e7d419a553f0e2c1b4a6d',
};
const WebhookId = () => Text(idForm);
const LastStatus = () =>
  Integer('HTTP status of the response; null without a response', { nullable: true, example: 500 });
const LastError = (description: string) =>
  Text(description, { nullable: true, maxLength: 1_000, example: 'The receiver answered 500.' });

export class WebhooksQuery {
  @OneOf(webhookStatuses, 'Only messages in this state', { optional: true, example: 'failing' })
  status?: WebhookStatus;
  @OneOf(webhookTypeNames, 'Only messages of this type', { optional: true, example: 'order.settled' })
  type?: WebhookType;
  @Limit(20) limit?: number;
  @Cursor(idForm) cursor?: string;
}

export class WebhookQuery {
  @Text('Id of the message', { maxLength: 64, example: idForm.example }) id: string;
}

export class WebhookMessage {
  @WebhookId() id: string;
  @OneOf(webhookTypeNames, 'Type of the message', { example: 'order.settled' }) type: WebhookType;
  @OneOf(webhookStatuses, 'Delivery state', { example: 'failing' }) status: WebhookStatus;
  @Unsigned('Number of attempts', { example: 2 }) attempts: number;
  @LastStatus() lastStatus: number | null;
  @LastError('Error of the last attempt; null without one') lastError: string | null;
  @Timestamp('Time of the next attempt, not before the end of a pause of the endpoint; null without one', {
    nullable: true,
    example: '2026-11-20T12:05:12.000Z',
  })
  nextAttemptAt: string | null;
  @Timestamp('Creation time', { example: '2026-11-20T12:00:07.000Z' }) createdAt: string;
}

export class WebhookAttempt {
  @Timestamp('Time of the attempt', { example: '2026-11-20T12:00:12.000Z' }) at: string;
  @Unsigned('Milliseconds until the response, or until the attempt was aborted', { example: 87 })
  ms: number;
  @LastStatus() status: number | null;
  @LastError('Error of the attempt; null when it succeeded') error: string | null;
}

export class WebhookDetails extends WebhookMessage {
  @FreeForm({ type: 'object' }, 'Content of the message, as an object; see the type', {
    example: { type: 'order.settled', timestamp: '2026-11-20T12:00:07.000Z', data: {} },
  })
  payload: Record<string, unknown>;
  @ListOf(() => WebhookAttempt, 'The last 20 attempts, newest first', { maxItems: 20 }) log: WebhookAttempt[];
}

export class WebhooksReply {
  @ListOf(() => WebhookMessage, 'Newest first', { maxItems: 100 }) webhooks: WebhookMessage[];
  @Unsigned('Number of `webhooks` in this reply', { example: 1 }) count: number;
  @Integer('The limit that was used', { min: 1, example: 20 }) limit: number;
  @NextCursor() next_cursor: string | null;
  @CamelNextCursor() nextCursor: string | null;
}

export class NoWebhookFields {}

export class WebhookTestRequest {
  @OneOf(
    webhookTypeNames,
    'Type of the message; `webhook.test` unless given. Other types carry the example of the type as `data`, and exist in the sandbox only',
    { optional: true, example: 'order.settled' },
  )
  type?: WebhookType;
}

export class WebhookTestReply {
  @WebhookId() id: string;
  @Flag('Whether the endpoint accepted the message') delivered: boolean;
  @Integer('HTTP status of the response; null without a response', { nullable: true, example: 200 })
  status: number | null;
  @Text('Error of the attempt; null when it succeeded', { nullable: true, maxLength: 1_000 })
  error: string | null;
  @Unsigned('Milliseconds until the response, or until the attempt was aborted', { example: 87 }) ms: number;
}

export class ListenToWebhooksRequest {
  @Integer('How long messages are recorded; call again before the time has passed', {
    min: 10,
    max: 300,
    default: 60,
    optional: true,
    example: 60,
  })
  seconds?: number;
}

export class ListenToWebhooksReply {
  @Timestamp('Until when messages are recorded', { example: '2026-11-20T12:01:00.000Z' }) until: string;
  @Text('Address that receives the messages too: `webhookUrl` of the settings; null without one', {
    nullable: true,
    maxLength: 2_048,
  })
  url: string | null;
}

export class WebhookEndpointReply {
  @Text('Address that receives messages: `webhookUrl` of the settings; null without one', {
    nullable: true,
    maxLength: 2_048,
    example: 'https://shop.example/webhooks',
  })
  url: string | null;
  @Flag('False without a URL, and after the endpoint responded 410 Gone') enabled: boolean;
  @OneOf(
    circuitStates,
    'Circuit breaker. Open after five consecutive failures: one message at a time probes whether the endpoint has recovered',
  )
  circuit: (typeof circuitStates)[number];
  @Timestamp('No message is sent before this time; null when nothing delays messages', { nullable: true })
  pausedUntil: string | null;
  @Timestamp('Creation time of the secret; null before the settings first contain a URL', {
    nullable: true,
    example: '2026-11-20T12:00:00.000Z',
  })
  secretCreatedAt: string | null;
  @Timestamp('Until when messages are also signed with the previous secret; null when they are not', {
    nullable: true,
  })
  previousSecretUntil: string | null;
}

const daySeconds = 24 * 60 * 60;

export class RotateWebhookSecretRequest {
  @Integer(
    'How long messages are also signed with the previous secret; 0 when the previous secret has leaked',
    { min: 0, max: 7 * daySeconds, default: daySeconds, optional: true, example: daySeconds },
  )
  gracePeriodSeconds?: number;
}

export class WebhookSecretReply {
  @Secret('The new secret, shown only once. Pass it to the Standard Webhooks library of your language', {
    example: 'whsec_REPLACE_ME_by_the_secret_that_is_answered',
  })
  secret: string;
  @Timestamp('Creation time') createdAt: string;
  @Timestamp('Until when messages are also signed with the previous secret; null when they are not', {
    nullable: true,
    example: '2026-11-21T12:00:00.000Z',
  })
  previousSecretUntil: string | null;
}

export class WebhookTypeView {
  @OneOf(webhookTypeNames, 'Type of the message', { example: 'order.settled' }) name: WebhookType;
  @Text('When the message is sent', { maxLength: 1_000, example: 'An order waits for its payment' })
  description: string;
  @FreeForm({ type: 'object' }, 'JSON Schema of the message', { example: { type: 'object', properties: {} } })
  schema: Record<string, unknown>;
  @FreeForm({ type: 'object' }, 'Example of the message', { example: { type: 'order.settled' } })
  example: Record<string, unknown>;
}

export class WebhookTypesReply {
  @ListOf(() => WebhookTypeView, 'All message types', { maxItems: 100 }) types: WebhookTypeView[];
}

export const webhooksApi = feature('merchant', 'webhooks', 'Webhooks', {
  listWebhooks: operation('GET /api/webhooks', {
    summary: 'List the messages sent to your endpoint',
    input: WebhooksQuery,
    output: WebhooksReply,
    auth: merchantAuth('read'),
  }),
  getWebhookEndpoint: operation('GET /api/webhooks/endpoint', {
    summary: 'Read the state of your endpoint',
    input: NoWebhookFields,
    output: WebhookEndpointReply,
    auth: merchantAuth('read'),
  }),
  listWebhookTypes: operation('GET /api/webhooks/types', {
    summary: 'List the message types, with schema and example',
    input: NoWebhookFields,
    output: WebhookTypesReply,
    auth: 'public',
  }),
  getWebhook: operation('GET /api/webhooks/{id}', {
    summary: 'Read a message and its attempts',
    input: WebhookQuery,
    output: WebhookDetails,
    errors: ['NOT_FOUND'],
    auth: merchantAuth('read'),
  }),
  replayWebhook: operation('POST /api/webhooks/{id}/replay', {
    summary: 'Replay a message',
    description:
      'In any state and of any age: sends the same `webhook-id` immediately, and restarts the retry schedule when the attempt fails.',
    input: WebhookQuery,
    output: WebhookMessage,
    errors: ['NOT_FOUND', 'CONFLICT'],
    auth: merchantAuth('write'),
  }),
  listenToWebhooks: operation('POST /api/webhooks/listen', {
    summary: 'Record messages without an endpoint',
    description:
      'For developers without a public address: until the time in the reply, new messages are stored also while the settings have no `webhookUrl`. Read them with `GET /api/webhooks` and `GET /api/webhooks/{id}`; `tollbridge listen` forwards them to your machine. Without a `webhookUrl` their status is `parked`. Deliveries to a `webhookUrl` do not change.',
    input: ListenToWebhooksRequest,
    output: ListenToWebhooksReply,
    auth: merchantAuth('write'),
  }),
  testWebhook: operation('POST /api/webhooks/test', {
    operationId: 'sendTestWebhook',
    summary: 'Send a test message and return the result',
    description:
      'Sent immediately and once, before all waiting messages. If it succeeds, the waiting messages are sent too. Without a `webhookUrl`, the message is recorded for listeners (`POST /api/webhooks/listen`).',
    input: WebhookTestRequest,
    output: WebhookTestReply,
    errors: ['CONFLICT'],
    auth: merchantAuth('write'),
    // Longer than the 15 s that the endpoint has to respond.
    timeoutMs: 20_000,
  }),
  resumeWebhooks: operation('POST /api/webhooks/endpoint/resume', {
    summary: 'Send to a paused endpoint again',
    description:
      'Ends the pause after failures, also after a 410: waiting messages are sent now, and a pause comes after five new failures in a row. Call it once the endpoint works again. Returns 409 without a webhookUrl.',
    input: NoWebhookFields,
    output: WebhookEndpointReply,
    errors: ['CONFLICT'],
    auth: merchantAuth('write'),
  }),
  rotateWebhookSecret: operation('POST /api/webhooks/secret', {
    summary: 'Create and show a new signing secret',
    description:
      'Also creates the first secret. During the grace period, messages carry the signatures of both secrets.',
    input: RotateWebhookSecretRequest,
    output: WebhookSecretReply,
    errors: ['CONFLICT'],
    // Requires `webhooks`, because a client with the secret can forge messages to the merchant.
    auth: merchantAuth('webhooks'),
  }),
});
