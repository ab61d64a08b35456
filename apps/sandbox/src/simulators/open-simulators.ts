import { Database, Leases, migrate, systemClock, type Clock } from '@tollbridge/database';
import { entities } from '../entities';
import { migrations } from '../migrations';
import type { Solver } from '../oneclick/payment-runner';
import type { RateChange } from '../rates/rate-table';
import { Simulators, type LocalChainOptions, type SimulatorsOptions } from './simulators';

export interface OpenSimulatorsOptions {
  /** A database with the schema `sandbox`, which is migrated first. */
  database: { ownerUrl: string; runtimeUrl: string };
  chains: readonly LocalChainOptions[];
  networks?: SimulatorsOptions['networks'];
  tronNodeUrl?: string;
  /** Must have enough of every token on every chain, and be the owner of the spoke pools. */
  solver: Solver;
  port?: number;
  clock?: Clock;
  onError?(error: unknown): void;
}

export interface OpenedSimulators {
  simulators: Simulators;
  /** Base URL of all simulators, each under its own name. */
  address: string;
  clock: Clock;
  setPrice(symbol: string, usd: string, frozenAt?: Date): Promise<void>;
  setRate(change: RateChange): void;
  close(): Promise<void>;
}

// Short, because tests wait for it.
const pollIntervalMs = 25;
const maxConnections = 8;
const leaseMs = 2_000;

/** Migrates the schema `sandbox`, for a test that opens simulators on it. */
export const migrateSandbox = (ownerUrl: string): Promise<unknown> =>
  migrate({ app: 'sandbox', url: ownerUrl, migrations });

/** Opens all simulators in the process of a test, with a separate database and nodes. */
export async function openSimulators(options: OpenSimulatorsOptions): Promise<OpenedSimulators> {
  const { clock = systemClock, port = 0, chains, networks, tronNodeUrl, solver } = options;
  const { runtimeUrl } = options.database;
  const onError = options.onError ?? (() => undefined);
  const database = await Database.open({
    app: 'sandbox',
    url: runtimeUrl,
    entities,
    maxConnections,
    onError,
  });
  const leases = new Leases({ pool: database.pool, leaseMs, onError });
  const simulators = new Simulators({
    database,
    leases,
    clock,
    host: '127.0.0.1',
    port,
    chains,
    networks,
    tronNodeUrl,
    solver,
    pollIntervalMs,
    onError,
  });
  await leases.start();
  return {
    simulators,
    address: await simulators.start(),
    clock,
    async setPrice(symbol, usd, frozenAt) {
      if (!(await simulators.prices.set({ symbol, usd, frozenAt: frozenAt ?? null })))
        throw new Error(`Unknown symbol: ${symbol}`);
    },
    setRate(change) {
      if (!simulators.rates.set(change)) throw new Error(`Unknown currency: ${change.currency}`);
    },
    async close() {
      await simulators.stop();
      await leases.stop().catch(onError);
      await database.close();
    },
  };
}
