import type { Class } from './operation';

/** What every event carries around its data. The id is the outbox row's and the JetStream message id. */
export interface EventEnvelope<D = unknown> {
  id: string;
  /** `order-settled` */
  type: string;
  version: number;
  /** Events of one aggregate are published in the order of `aggregateVersion`. */
  aggregateId: string;
  aggregateVersion: number;
  /** ISO 8601, UTC. */
  occurredAt: string;
  requestId: string;
  traceparent: string;
  data: D;
}

export interface EventSpec<D> {
  version: number;
  summary: string;
  data: Class<D>;
  /** Each aggregate has a subject of its own, so that who wants to hear of one hears of no other. */
  isPerAggregate?: boolean;
}

export interface EventDeclaration<D = unknown> extends EventSpec<D> {
  app: string;
  type: string;
  /** Where it is published; with `isPerAggregate` the aggregate's id follows behind a dot. */
  subject: string;
}

export type EventsOf<S extends Record<string, EventSpec<any>>> = {
  [K in keyof S]: S[K] extends EventSpec<infer D> ? EventDeclaration<D> : never;
};

/** Declares the events that one app tells. Keys are the types: past tense, in kebab-case. */
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

/** The JetStream stream that holds an app's events: `PAY_ORDERS` for pay-orders. */
export function streamOf(app: string): string {
  return app.toUpperCase().replaceAll('-', '_');
}

/** What is no envelope will not become one by being delivered again. */
export function readEnvelope(text: string): EventEnvelope | Error {
  try {
    const event = JSON.parse(text) as EventEnvelope | null;
    if (typeof event?.id === 'string' && typeof event.type === 'string') return event;
    return new Error('the event has no id or no type');
  } catch (error) {
    return error as Error;
  }
}
