import { exampleOf, Schemas, type JsonSchema } from '@tollbridge/rpc';
import { webhookTypes, type WebhookType } from './webhooks.types';

const storeName = 'Corner Café';
const madeAt = '2026-11-20T12:00:07.000Z';

/** Returns a self-contained JSON Schema for messages of a type. */
export function webhookSchema(type: WebhookType): JsonSchema {
  const { data } = webhookTypes[type];
  const schemas = new Schemas();
  schemas.of(data);
  return messageSchema(type, inlined(schemas.named[data.name]!, schemas) as JsonSchema);
}

/** Replaces each reference in a schema by its target. The data of webhooks has no recursive classes. */
function inlined(schema: unknown, schemas: Schemas): unknown {
  if (Array.isArray(schema)) return schema.map((item) => inlined(item, schemas));
  if (typeof schema !== 'object' || schema === null) return schema;
  const { $ref: reference } = schema as { $ref?: string };
  if (reference !== undefined) return inlined(schemas.named[reference.split('/').at(-1)!], schemas);
  return Object.fromEntries(Object.entries(schema).map(([name, part]) => [name, inlined(part, schemas)]));
}

/** Returns the schema of a message with the given data schema. */
export function messageSchema(type: WebhookType, data: JsonSchema): JsonSchema {
  return {
    type: 'object',
    properties: {
      type: { type: 'string', const: type, description: 'Type of the message' },
      timestamp: {
        type: 'string',
        format: 'date-time',
        description: 'Creation time of the message',
        examples: [madeAt],
      },
      store_name: {
        type: ['string', 'null'],
        description:
          '`storeName` of the settings when the message was created, as payers see it; null without one',
        examples: [storeName],
      },
      data,
    },
    required: ['type', 'timestamp', 'data'],
  };
}

/** Returns an example message of a type. */
export function webhookExample(type: WebhookType): Record<string, unknown> {
  const { data, example } = webhookTypes[type];
  return { type, timestamp: madeAt, store_name: storeName, data: { ...exampleOf(data), ...example } };
}
