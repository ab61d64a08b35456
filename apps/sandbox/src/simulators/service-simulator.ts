import type { Clock, Database } from '@tollbridge/database';
import type { FastifyInstance } from 'fastify';
import type { Outage } from './outage';
import type { RequestRates } from './request-rate';

/** The dependencies of a simulator. */
export interface ServiceSimulatorParts {
  database: Pick<Database, 'pool'>;
  clock: Clock;
  /** The common base URL of all simulators for clients. It is available after they listen. */
  publicUrl(): string;
  /** The SMTP address for mail. The default is any free port of this machine. */
  smtp?: { host: string; port: number };
  /**
   * The base URL of all webhooks, with the name of the simulator below it. Without it, only registered URLs get
   * webhooks.
   */
  hooksUrl?: string | undefined;
  /** The rate limits of the mail providers, in requests per second. */
  requestRates?: RequestRates | undefined;
  /** The account for deposits of nano-payments. The default is the account of the sandbox's payment ledger service. */
  nanopayDepositAddress?: string | undefined;
  /** URL of the EVM node of the local Tron network. Without it, Tron is unavailable. */
  tronNodeUrl?: string | undefined;
  onError(error: unknown): void;
}

/** A simulator of a service provider (gift cards, mail, numbers, cards) on the shared server. */
export interface ServiceSimulator {
  /** The path prefix, in place of the provider's base URL. */
  readonly prefix: `/${string}`;
  readonly outage: Outage;
  register(routes: FastifyInstance): void;
  /** Starts parts that do not belong to the routes, such as a mail server and delayed jobs. */
  start?(): Promise<void>;
  stop?(): Promise<void>;
}
