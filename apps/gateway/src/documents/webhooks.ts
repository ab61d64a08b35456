import {
  messageSchema,
  webhookExample,
  webhookTypeNames,
  webhookTypes,
  type WebhookType,
} from '@tollbridge/contracts';
import type { JsonSchema, Schemas } from '@tollbridge/rpc';

const headers = [
  {
    name: 'webhook-id',
    description:
      'Id of the message, the same at each attempt. Store it, and ignore messages that you have processed',
    example: 'msg_0198f3a27c5e7d419a553f0e2c1b4a6d',
  },
  {
    name: 'webhook-timestamp',
    description: 'Time of this attempt, in Unix seconds. Reject messages older than five minutes',
    example: '1795176007',
  },
  {
    name: 'webhook-signature',
    description:
      'A `v1,` signature for each valid secret, separated by spaces (Standard Webhooks): one valid signature is enough',
    example: 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  },
];

/** The webhooks section of OpenAPI, with the messages that merchants receive. */
export function webhooksSection(tag: string, schemas: Schemas): Record<string, JsonSchema> {
  return Object.fromEntries(
    webhookTypeNames.map((type) => [type, { post: describeWebhook(type, tag, schemas) }]),
  );
}

function describeWebhook(type: WebhookType, tag: string, schemas: Schemas): JsonSchema {
  const { summary, data } = webhookTypes[type];
  return {
    operationId: `on ${type}`.replace(/[ ._](\w)/g, (_, letter: string) => letter.toUpperCase()),
    tags: [tag],
    summary,
    // The signature authenticates the message.
    security: [],
    parameters: headers.map((header) => ({
      ...header,
      in: 'header',
      required: true,
      schema: { type: 'string' },
    })),
    requestBody: {
      required: true,
      content: {
        'application/json': { schema: messageSchema(type, schemas.of(data)), example: webhookExample(type) },
      },
    },
    responses: {
      '2XX': { description: 'Received. Answer within 15 seconds, and process longer work afterwards' },
      '410': { description: 'Unsubscribe: from then on there is one attempt an hour' },
      '429': {
        description: 'Too many messages: nothing is sent for the time in `Retry-After`, at most a day',
      },
      default: { description: 'Retried for at least 72 hours, then stored for a replay' },
    },
  };
}
