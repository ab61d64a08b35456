import { Database, migrate, systemClock, type Clock } from '@tollbridge/data';
import { migrations } from '../migrations';
import type { OutageMode } from '../simulators/outage';
import { Simulators, type LocalChainOptions } from '../simulators/simulators';
import { madeUpTxHash } from './deposit-address';
import type { Solver } from './payment-runner';

export interface OneClickOptions {
  /** A database with the schema `sandbox`; it is brought up to date. */
  database: { ownerUrl: string; runtimeUrl: string };
  chains: readonly LocalChainOptions[];
  /** Must hold enough of every token on every chain. */
  solver: Solver;
  port?: number;
  clock?: Clock;
  onError?(error: unknown): void;
}

export interface DepositName {
  depositAddress: string;
  depositMemo?: string | undefined;
}

export interface RunningOneClick {
  /** What the provider's base URL is replaced by. */
  url: string;
  defillamaUrl: string;
  publicKey: string;
  setPrice(symbol: string, usd: string, frozenAt?: Date): Promise<void>;
  outage(mode: OutageMode): void;
  /** Makes now the deadline of a committed quote. */
  pastDeadline(deposit: DepositName): Promise<void>;
  /** The payer's transfer on a chain without a local node. Answers its made-up hash. */
  deposit(deposit: DepositName, amountAtomic: bigint): Promise<string>;
  close(): Promise<void>;
}

// Short, since tests wait for it.
const pollIntervalMs = 25;
const maxConnections = 8;

/** The simulator in a test's own process, on a database and nodes of its own. */
export async function startOneClick(options: OneClickOptions): Promise<RunningOneClick> {
  const { clock = systemClock, port = 0, chains, solver } = options;
  const { ownerUrl, runtimeUrl } = options.database;
  await migrate({ app: 'sandbox', url: ownerUrl, migrations });
  const onError = options.onError ?? (() => undefined);
  const database = await Database.open({
    app: 'sandbox',
    url: runtimeUrl,
    entities: [],
    maxConnections,
    onError,
  });
  const simulators = new Simulators({
    database,
    clock,
    host: '127.0.0.1',
    port,
    chains,
    solver,
    pollIntervalMs,
    onError,
  });
  const address = await simulators.start();
  const swapOf = async ({ depositAddress, depositMemo = '' }: DepositName) => {
    const swap = await simulators.swaps.find(depositAddress, depositMemo);
    if (!swap) throw new Error(`There is no committed quote with the deposit address ${depositAddress}`);
    return swap;
  };
  return {
    url: `${address}/oneclick`,
    defillamaUrl: `${address}/defillama`,
    publicKey: simulators.signer.publicKey,
    async setPrice(symbol, usd, frozenAt) {
      if (!(await simulators.prices.set({ symbol, usd, frozenAt: frozenAt ?? null })))
        throw new Error(`There is no price of ${symbol}`);
    },
    outage: (mode) => void (simulators.outage.mode = mode),
    pastDeadline: async (deposit) => simulators.swaps.setDeadline((await swapOf(deposit)).id, clock.now()),
    async deposit(deposit, amountAtomic) {
      const swap = await swapOf(deposit);
      const txHash = madeUpTxHash(swap.origin.chain);
      await simulators.swaps.addToLedger(swap.id, amountAtomic, txHash, clock.now());
      return txHash;
    },
    async close() {
      await simulators.stop();
      await database.close();
    },
  };
}
