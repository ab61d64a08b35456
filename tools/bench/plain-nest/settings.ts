import type { NatsOptions } from '@nestjs/microservices';

/** The first argument of both processes, as JSON. */
export interface PlainNestSettings {
  nats: NonNullable<NatsOptions['options']>;
  /** URL of a database that is empty at the first start. */
  database: string;
}

export const subjects = { create: 'bench.plain-nest.create', read: 'bench.plain-nest.read' } as const;
