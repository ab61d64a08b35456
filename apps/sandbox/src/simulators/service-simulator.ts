import type { Clock, Database } from '@tollbridge/database';
import type { FastifyInstance } from 'fastify';
import type { Outage } from './outage';
import type { RequestRates } from './request-rate';

/** The dependencies of a simulator. */
export interface ServiceSimulatorParts {
  database: Pick<Database, 'pool'>;
  clock: Clock;
  /** The common base URL of all simulators, as callers reach it; known once they listen. */
  publicUrl(): string;
  /** Where mail arrives; any free port of this machine, without it. */
  smtp?: { host: string; port: number };
  /** Where all of them send their webhooks, each below its name; to registered addresses only, without it. */
  hooksUrl?: string | undefined;
  /** The rate limits of the mail providers, in requests a second. */
  requestRates?: RequestRates | undefined;
  /** Account for deposits of nano-payments; the account of the sandbox's payment ledger service, without it. */
  nanopayDepositAddress?: string | undefined;
  /** URL of the EVM node of the local Tron network, which is unavailable without it. */
  tronNodeUrl?: string | undefined;
  onError(error: unknown): void;
}

/** A provider of services (gift cards, mail, numbers, cards) on the one server. */
export interface ServiceSimulator {
  /** The path prefix, in place of the provider's base URL. */
  readonly prefix: `/${string}`;
  readonly outage: Outage;
  register(routes: FastifyInstance): void;
  /** Starts what runs apart from its routes: a mail server, delayed work. */
  start?(): Promise<void>;
  stop?(): Promise<void>;
}
