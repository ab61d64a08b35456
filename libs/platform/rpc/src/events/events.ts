import type { JsonSchema } from '../declarations/fields';
import type { Class } from '../declarations/class';

/** The envelope of every event. Its id is also the id of the outbox row and of the JetStream message. */
export interface EventEnvelope<D = unknown> {
  id: string;
  /** Type of the event, such as `order-settled`. */
  type: string;
  version: number;
  /** Events of one aggregate are published in the order of `aggregateVersion`. */
  aggregateId: string;
  aggregateVersion: number;
  /** Time in ISO 8601, UTC. */
  occurredAt: string;
  requestId: string;
  traceparent: string;
  data: D;
}

/** JSON schema of the envelope, without the data of a type. */
export const envelopeSchema = {
  type: 'object',
  properties: {
    id: {
      type: 'string',
      format: 'uuid',
      description:
        'Unique; also the JetStream message id (`Nats-Msg-Id`). Keep it: the same event may be delivered again',
    },
    type: { type: 'string', description: 'The name of the event' },
    version: {
      type: 'integer',
      description:
        'Of the type: a change that would break readers gets a new version, and a subject of its own',
    },
    aggregateId: {
      type: 'string',
      description: 'What changed: the id of the order, of the key, or of the set of transactions',
    },
    aggregateVersion: {
      type: 'integer',
      description: 'Counts the changes of that one thing; its events are published in this order',
    },
    occurredAt: { type: 'string', format: 'date-time', description: 'ISO 8601, UTC' },
    requestId: { type: 'string', description: 'The request that caused it, as in the logs' },
    traceparent: { type: 'string', description: 'Its W3C trace' },
    data: { type: 'object', description: 'The payload of the event' },
  },
  required: [
    'id',
    'type',
    'version',
    'aggregateId',
    'aggregateVersion',
    'occurredAt',
    'requestId',
    'traceparent',
    'data',
  ],
} as const satisfies JsonSchema;

export interface EventSpec<D> {
  version: number;
  summary: string;
  data: Class<D>;
  /** Whether each aggregate has its own subject, so that a subscriber can receive events of one aggregate only. */
  isPerAggregate?: boolean;
}

export interface EventDeclaration<D = unknown> extends EventSpec<D> {
  app: string;
  type: string;
  /** Subject of the event; with `isPerAggregate`, a dot and the aggregate id are appended. */
  subject: string;
}

export type EventsOf<S extends Record<string, EventSpec<any>>> = {
  [K in keyof S]: S[K] extends EventSpec<infer D> ? EventDeclaration<D> : never;
};

/** Declares the events that one app publishes. The keys are the types: past tense, in kebab-case. */
export function events<const S extends Record<string, EventSpec<any>>>(app: string, specs: S): EventsOf<S> {
  const declared = Object.entries(specs).map(([type, spec]) => [
    type,
    { ...spec, app, type, subject: `${eventPrefix(app)}.${type}.v${spec.version}` },
  ]);
  return Object.fromEntries(declared) as EventsOf<S>;
}

export function eventPrefix(app: string): string {
  return `events.${app}`;
}

// One token of a NATS subject. A dot would add a token, and `*` or `>` would be wildcards.
const subjectPartForm = /^[A-Za-z0-9_-]+$/;

/** Returns the subject of an event of one aggregate. */
export function subjectOf(
  { subject, isPerAggregate }: Pick<EventDeclaration, 'subject' | 'isPerAggregate'>,
  aggregateId: string,
): string {
  if (!isPerAggregate) return subject;
  if (!subjectPartForm.test(aggregateId))
    throw new Error('the id of an aggregate with a subject of its own must be one part of a subject');
  return `${subject}.${aggregateId}`;
}

/** Returns the subject pattern for events of all aggregates, for consumers and permissions. */
export function subjectPattern({
  subject,
  isPerAggregate,
}: Pick<EventDeclaration, 'subject' | 'isPerAggregate'>): string {
  return isPerAggregate ? `${subject}.*` : subject;
}

/** The event type and the aggregate in a subject. */
export interface EventSubject {
  app: string;
  type: string;
  version: number;
  /** Present on the subject of one aggregate. */
  aggregateId?: string;
}

const subjectForm = /^events\.([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]+)\.v(\d+)(?:\.([A-Za-z0-9_-]+))?$/;

/** Parses a subject from `subjectOf`; undefined for any other subject. */
export function readEventSubject(subject: string): EventSubject | undefined {
  const [, app, type, version, aggregateId] = subjectForm.exec(subject) ?? [];
  if (!app || !type || !version) return undefined;
  return { app, type, version: Number(version), ...(aggregateId && { aggregateId }) };
}

/** Returns the JetStream stream of an app's events: `PAY_ORDERS` for pay-orders. */
export function streamOf(app: string): string {
  return app.toUpperCase().replaceAll('-', '_');
}

/** Parses an envelope. Returns an error for an invalid envelope or a different subject; redelivery cannot repair it. */
export function readEnvelope(text: string, subject: string): EventEnvelope | Error {
  try {
    const event = JSON.parse(text) as EventEnvelope | null;
    if (typeof event?.id !== 'string' || typeof event.type !== 'string')
      return new Error('the event has no id or no type');
    const { type = event.type, aggregateId = event.aggregateId } = readEventSubject(subject) ?? {};
    if (type === event.type && aggregateId === event.aggregateId) return event;
    return new Error(`the event does not match its subject, ${subject}`);
  } catch (error) {
    return error as Error;
  }
}
