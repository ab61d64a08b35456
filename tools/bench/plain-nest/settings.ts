import type { NatsOptions } from '@nestjs/microservices';

/** The first argument of both processes, as JSON. */
export interface PlainNestSettings {
  nats: NonNullable<NatsOptions['options']>;
  databaseUrl: string;
  /** An existing schema, for the tables of the peer. */
  schema: string;
}

export const subjects = { create: 'bench.plain-nest.create', read: 'bench.plain-nest.read' } as const;
