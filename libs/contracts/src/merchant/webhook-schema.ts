import { exampleOf, Schemas, type JsonSchema } from '@tollbridge/rpc';
import { webhookTypes, type WebhookType } from './webhooks.types';

const storeName = 'Corner Café';
const madeAt = '2026-11-20T12:00:07.000Z';

/** What is posted for a type, as a JSON Schema that needs no other. */
export function webhookSchema(type: WebhookType): JsonSchema {
  const { data } = webhookTypes[type];
  const schemas = new Schemas();
  schemas.of(data);
  return messageSchema(type, schemas.named[data.name]!);
}

/** The same around a schema of the data that stands elsewhere. */
export function messageSchema(type: WebhookType, data: JsonSchema): JsonSchema {
  return {
    type: 'object',
    properties: {
      type: { type: 'string', const: type, description: 'What happened' },
      timestamp: {
        ...{ type: 'string', format: 'date-time', description: 'When the message was made' },
        examples: [madeAt],
      },
      store_name: {
        type: ['string', 'null'],
        description:
          '`storeName` of your settings when the message was made, as payers see it; null without one',
        examples: [storeName],
      },
      data,
    },
    required: ['type', 'timestamp', 'data'],
  };
}

/** An example of what is posted for a type. */
export function webhookExample(type: WebhookType): Record<string, unknown> {
  const { data, example } = webhookTypes[type];
  return { type, timestamp: madeAt, store_name: storeName, data: { ...exampleOf(data), ...example } };
}
