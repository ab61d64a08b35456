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
      'The message: the same at each of its attempts. Keep it, and pass over what you have had already',
    example: 'msg_0198f3a27c5e7d419a553f0e2c1b4a6d',
  },
  {
    name: 'webhook-timestamp',
    description: 'When this attempt was made, Unix seconds. Refuse what is older than five minutes',
    example: '1795176007',
  },
  {
    name: 'webhook-signature',
    description:
      'A `v1,` signature for each valid secret, separated by spaces, as Standard Webhooks says: one that is right is enough',
    example: 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  },
];

/** The messages that are posted to a merchant, for the section of OpenAPI that describes what calls the reader. */
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
    // Not by a key: by the signature.
    security: [],
    parameters: headers.map((header) => ({
      ...{ ...header, in: 'header', required: true },
      schema: { type: 'string' },
    })),
    requestBody: {
      required: true,
      content: {
        'application/json': { schema: messageSchema(type, schemas.of(data)), example: webhookExample(type) },
      },
    },
    responses: {
      '2XX': { description: 'You have it. Answer within 15 seconds, and do what takes longer afterwards' },
      '410': { description: 'You want no more: then it is tried once an hour only' },
      '429': { description: 'Not now: nothing is sent for as long as `Retry-After` says, at most a day' },
      default: { description: 'It is sent again, for 72 hours and more, and then kept for a replay' },
    },
  };
}
