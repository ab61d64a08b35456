import type { Clock, Database } from '@tollbridge/database';
import type { FastifyInstance } from 'fastify';
import type { Outage } from './outage';
import type { RequestRates } from './request-rate';

/** What a simulator of a service provider is made from. */
export interface ServiceSimulatorParts {
  database: Pick<Database, 'pool'>;
  clock: Clock;
  /** The address under which all simulators lie, as callers reach it; known once they listen. */
  publicUrl(): string;
  /** Where mail arrives; any free port of this machine, without it. */
  smtp?: { host: string; port: number };
  /** Where all of them send their webhooks, each below its name; to registered addresses only, without it. */
  hooksUrl?: string | undefined;
  /** How often the providers of mail let themselves be asked in a second. */
  requestRates?: RequestRates | undefined;
  /** To which deposits of nano-payments go; to the account of the sandbox's enclave, without it. */
  nanopayDepositAddress?: string | undefined;
  onError(error: unknown): void;
}

/** A provider of services (gift cards, mail, numbers, cards) on the one server. */
export interface ServiceSimulator {
  /** What stands for the provider's base URL. */
  readonly prefix: `/${string}`;
  readonly outage: Outage;
  register(routes: FastifyInstance): void;
  /** What works behind its routes: a mail server, what takes its time. */
  start?(): Promise<void>;
  stop?(): Promise<void>;
}
