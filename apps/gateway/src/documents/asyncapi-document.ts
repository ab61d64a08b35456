import {
  envelopeSchema,
  streamOf,
  type Channel,
  type ChannelMessage,
  type EventDeclaration,
  type EventStream,
  type JsonSchema,
} from '@tollbridge/rpc';
import { exampleOf, Schemas } from '@tollbridge/rpc';
import { exampleEvent } from './example-event';

const description = `The messages that Tollbridge publishes: the public WebSocket to follow transactions, the streams of
server-sent events to follow orders and payments, and the events between services on NATS.

**Events** are stored in the same transaction as the change that they describe, and delivered at least once: an event may
arrive twice, with the same \`id\`. Each app has its own stream, which stores seven days.`;

const ref = (...path: string[]): JsonSchema => ({ $ref: `#/${path.join('/')}` });

/** Collects the parts of the document. */
class Parts {
  readonly schemas = new Schemas();
  readonly messages: Record<string, JsonSchema> = {};
  readonly channels: Record<string, JsonSchema> = {};
  readonly operations: Record<string, JsonSchema> = {};
}

interface Declared {
  channels: readonly Channel[];
  eventStreams: readonly EventStream[];
  events: readonly EventDeclaration<any>[];
}

/** The AsyncAPI 3.0 document of the given channels, streams and events, generated from their declarations. */
export function asyncApiDocument(
  { channels, eventStreams, events }: Declared,
  serverUrl: string,
  version: string,
): JsonSchema {
  const parts = new Parts();
  for (const channel of channels) addChannel(parts, channel);
  for (const stream of eventStreams) addEventStream(parts, stream);
  parts.schemas.add('EventEnvelope', envelopeSchema);
  for (const event of events) addEvent(parts, event);
  const { host, protocol } = new URL(serverUrl);
  return {
    asyncapi: '3.0.0',
    info: { title: 'Tollbridge', version, description, license: { name: 'MIT' } },
    defaultContentType: 'application/json',
    servers: {
      gateway: {
        host,
        protocol: protocol === 'https:' ? 'wss' : 'ws',
        description: 'The gateway, for every client',
      },
      http: {
        host,
        protocol: protocol === 'https:' ? 'https' : 'http',
        description: 'The gateway, for server-sent events',
      },
      bus: {
        host: '{host}:4222',
        protocol: 'nats',
        description: 'NATS with JetStream, for internal services; each has its own user',
        variables: { host: { default: '127.0.0.1', description: 'Host of the NATS servers' } },
      },
    },
    channels: parts.channels,
    operations: parts.operations,
    components: { messages: parts.messages, schemas: withoutDiscriminators(parts.schemas.named) },
  };
}

/**
 * In AsyncAPI, a discriminator contains only a property name, and the values are the names of schemas. `oneOf`
 * expresses the same.
 */
function withoutDiscriminators(schemas: Record<string, JsonSchema>): Record<string, JsonSchema> {
  return Object.fromEntries(
    Object.entries(schemas).map(([name, { discriminator: _, ...schema }]) => [name, schema]),
  );
}

function addChannel(parts: Parts, channel: Channel): void {
  const { title, path, summary, receives, sends, closeCodes } = channel;
  const id = camelCase(title);
  const codes = Object.entries(closeCodes).map(([code, meaning]) => `\`${code}\`: ${meaning}`);
  const named = { ...receives, ...sends };
  for (const [name, message] of Object.entries(named)) addMessage(parts, name, message);
  parts.channels[id] = {
    address: path,
    title,
    summary,
    description: `${channel.description}\n\nThe server closes a socket with\n\n${codes.join('\n\n')}`,
    servers: [ref('servers', 'gateway')],
    messages: Object.fromEntries(
      Object.keys(named).map((name) => [name, ref('components', 'messages', name)]),
    ),
    bindings: { ws: { method: 'GET', bindingVersion: '0.1.0' } },
    'x-close-codes': closeCodes,
  };
  const inChannel = (name: string): JsonSchema => ref('channels', id, 'messages', name);
  for (const [name, message] of Object.entries(receives)) {
    parts.operations[name] = {
      action: 'receive',
      channel: ref('channels', id),
      summary: message.summary,
      messages: [inChannel(name)],
      reply: { channel: ref('channels', id), messages: message.answers.map(inChannel) },
    };
  }
  const answers = new Set(Object.values(receives).flatMap((message) => message.answers));
  for (const [name, message] of Object.entries(sends)) {
    if (answers.has(name)) continue;
    parts.operations[`send${name[0]!.toUpperCase()}${name.slice(1)}`] = {
      action: 'send',
      channel: ref('channels', id),
      summary: message.summary,
      messages: [inChannel(name)],
    };
  }
}

/** Each message is the data of a server-sent event, with the message's name as its `event`. */
function addEventStream(
  parts: Parts,
  { title, path, summary, description, parameters, sends }: EventStream,
): void {
  const id = camelCase(title);
  const names = Object.keys(sends);
  for (const [name, message] of Object.entries(sends)) addMessage(parts, name, message);
  parts.channels[id] = {
    address: path,
    title,
    summary,
    description,
    servers: [ref('servers', 'http')],
    parameters: Object.fromEntries(
      Object.entries(parameters).map(([name, meaning]) => [name, { description: meaning }]),
    ),
    messages: Object.fromEntries(names.map((name) => [name, ref('components', 'messages', name)])),
  };
  parts.operations[`send${id[0]!.toUpperCase()}${id.slice(1)}`] = {
    action: 'send',
    channel: ref('channels', id),
    summary,
    messages: names.map((name) => ref('channels', id, 'messages', name)),
    bindings: { http: { method: 'GET', bindingVersion: '0.3.0' } },
  };
}

function addMessage(parts: Parts, name: string, { summary, payload }: ChannelMessage): void {
  parts.messages[name] = {
    name,
    summary,
    payload: parts.schemas.of(payload),
    examples: [{ payload: exampleOf(payload) }],
  };
}

function addEvent(parts: Parts, event: EventDeclaration): void {
  const { app, type, version, subject, summary, data, isPerAggregate } = event;
  const id = `${camelCase(type)}V${version}`;
  parts.messages[id] = {
    name: type,
    summary,
    headers: {
      type: 'object',
      properties: { 'Nats-Msg-Id': { type: 'string', description: 'The id of the event' } },
    },
    payload: {
      allOf: [
        ref('components', 'schemas', 'EventEnvelope'),
        { properties: { type: { const: type }, version: { const: version }, data: parts.schemas.of(data) } },
      ],
    },
    examples: [{ payload: exampleEvent(event) }],
  };
  parts.channels[id] = {
    address: isPerAggregate ? `${subject}.{aggregateId}` : subject,
    summary,
    description: `Published by ${app}, in the stream \`${streamOf(app)}\`.`,
    servers: [ref('servers', 'bus')],
    messages: { [id]: ref('components', 'messages', id) },
    ...(isPerAggregate && {
      parameters: { aggregateId: { description: envelopeSchema.properties.aggregateId.description } },
    }),
  };
  parts.operations[`tell${id[0]!.toUpperCase()}${id.slice(1)}`] = {
    action: 'send',
    channel: ref('channels', id),
    summary,
    messages: [ref('channels', id, 'messages', id)],
  };
}

/** Converts texts such as `order-created` and `Transaction stream` to an identifier. */
function camelCase(text: string): string {
  const [first = '', ...rest] = text.toLowerCase().split(/[- ]/);
  return first + rest.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}
