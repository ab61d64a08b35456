import {
  AnyCaller,
  snapshotsApi,
  swapQuotesApi,
  transactionsApi,
  type BatchReply,
  type BatchRequest,
  type BuildRequest,
  type BuiltSet,
  type ExecutedSet,
  type SwapQuoteReply,
  type SwapQuoteRequest,
  type TransactionStatus,
  type TransactionUpdate,
} from '@tollbridge/contracts';
import { startSwapSimulators, type RunningSwapSimulators } from '@tollbridge/app-sandbox';
import {
  BusClient,
  BusConnection,
  callContext,
  DomainError,
  keyPrincipal,
  type BusOperation,
} from '@tollbridge/rpc';
import type { Clock } from '@tollbridge/database';
import { deployLocalChain, type LocalChain } from '@tollbridge/local-chain';
import type { AcrossContracts } from '@tollbridge/local-contracts';
import type { RunningService } from '@tollbridge/bootstrap';
import {
  eventually,
  freshDatabase,
  startFakeService,
  recordEvents,
  startAnvil,
  startNats,
  type EventRecorder,
  type FreshDatabase,
  type NatsServer,
  type FakeService,
  testConnections,
} from '@tollbridge/testing';
import { HDNodeWallet, ZeroAddress } from 'ethers';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { start } from '../start';
import { migratedDatabase } from './migrated-database';
import { migrateSandbox } from '@tollbridge/app-sandbox';

export type Symbol = 'ETH' | 'WETH' | 'USDC' | 'USDT' | 'DAI';

export interface HarnessOptions {
  clock?: Clock;
  confirmations?: number;
  /** A second chain, and a bridge between the two. */
  isAcross?: boolean;
  /** Replaces the node URLs of the first chain, for a proxy. */
  rpcUrls?: (chain: LocalChain) => Promise<string[]>;
  settings?: NodeJS.ProcessEnv;
}

export interface SwapInput {
  from: Symbol;
  to: Symbol;
  amount: bigint;
  /** Whether the output is on the other chain. */
  isAcross?: boolean;
  slippageBps?: number;
}

/** The default owner of the calling key. */
export const owner = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';

/**
 * tx-engine as in production, in this process, with NATS and with PostgreSQL under the rights of the runtime role. The
 * EVM nodes run the real Uniswap, and the provider simulators a real bridge. Tests call it over the bus.
 */
export class TxEngine {
  readonly apps: RunningService[] = [];
  chain: LocalChain;
  other: LocalChain;
  database: FreshDatabase;
  nats: NatsServer;
  simulators: RunningSwapSimulators;
  events: EventRecorder;
  /** A fake of the merchant app's budgets. By default, it reserves every amount. */
  budgets: FakeService;
  private client: BusClient;
  private readonly folder = mkdtempSync(join(tmpdir(), 'tollbridge-tx-engine-'));
  private readonly closers: (() => unknown)[] = [];

  private constructor(private readonly options: HarnessOptions) {}

  static async start(options: HarnessOptions = {}): Promise<TxEngine> {
    const harness = new TxEngine(options);
    try {
      await harness.open();
      return harness;
    } catch (error) {
      await harness.close();
      throw error;
    }
  }

  private async open(): Promise<void> {
    this.closers.push(() => rmSync(this.folder, { recursive: true, force: true }));
    const chainIds = [8453, 42161];
    const opening = [
      this.track(migratedDatabase(), (it) => it.drop()).then((it) => (this.database = it)),
      this.track(startNats(), (it) => it.remove()).then((it) => (this.nats = it)),
      Promise.all(chainIds.map((chainId) => this.startChain(chainId))).then(async (chains) => {
        [this.chain, this.other] = chains.map(({ chain }) => chain) as [LocalChain, LocalChain];
        await this.startSimulators(chains);
      }),
    ];
    // Waits for all, even when one fails, so that `close` also closes those that opened.
    await Promise.allSettled(opening);
    await Promise.all(opening);
    await this.writeChainsFile();
    const bus = await this.track(BusConnection.open({ app: 'test-caller', url: this.nats.url }), (it) =>
      it.close(),
    );
    this.client = new BusClient(bus, new AnyCaller());
    this.closers.push(() => this.client.close());
    const allow = () => ({ output: { status: 'reserved' } });
    this.budgets = await this.track(startFakeService(this.nats.url, 'op.merchant.budgets.*', allow), (it) =>
      it.close(),
    );
    await this.startApp();
    this.events = await recordEvents(this.nats.url, 'TX_ENGINE');
    this.closers.push(() => this.events.stop());
  }

  private async track<T>(opening: Promise<T>, close: (opened: T) => unknown): Promise<T> {
    const opened = await opening;
    this.closers.push(() => close(opened));
    return opened;
  }

  private async startChain(chainId: number): Promise<{ chain: LocalChain; across: AcrossContracts }> {
    const anvil = await this.track(startAnvil({ chainId }), (it) => it.stop());
    const chain = await deployLocalChain(anvil);
    await chain.deployExchange();
    return { chain, across: await chain.deployBridge() };
  }

  private async startSimulators(chains: { chain: LocalChain; across: AcrossContracts }[]): Promise<void> {
    const { confirmations = 2 } = this.options;
    const database = await this.track(freshDatabase('sandbox', migrateSandbox), (it) => it.drop());
    const { address, privateKey } = this.chain.solver;
    this.simulators = await startSwapSimulators({
      database,
      chains: chains.map(({ chain, across }) => {
        const { chain: id, rpcUrls, tokens } = chain.deployment({});
        const uniswapV3 = chain.exchange!;
        return { chain: id, rpcUrl: rpcUrls[0]!, tokens, confirmations, uniswapV3, across };
      }),
      solver: { address, privateKey },
      onError: (error) => process.stderr.write(`${String((error as Error).stack)}\n`),
    });
    this.closers.push(() => this.simulators.close());
  }

  private async writeChainsFile(): Promise<void> {
    const { confirmations = 2, rpcUrls } = this.options;
    const changes = { confirmations, ...(rpcUrls && { rpcUrls: await rpcUrls(this.chain) }) };
    const chains = [this.chain.deployment(changes), this.other.deployment({ confirmations })];
    writeFileSync(join(this.folder, 'chains.json'), JSON.stringify({ chains }));
  }

  /** Starts one more instance of the app on the same database, chains and bus. */
  async startApp(settings: NodeJS.ProcessEnv = {}): Promise<RunningService> {
    // Most tests cause failures on purpose, and the log lines would hide the results.
    process.env['LOG_LEVEL'] ??= 'silent';
    const env = { ...this.environment(), ...settings };
    const { clock } = this.options;
    const app = await start(env, clock ? { clock } : {});
    this.apps.push(app);
    return app;
  }

  /** The environment of an instance of the app. */
  environment(): NodeJS.ProcessEnv {
    return {
      TOLLBRIDGE_ENV: 'sandbox',
      TX_ENGINE_NATS_URL: this.nats.url,
      TX_ENGINE_DATABASE_URL: this.database.runtimeUrl,
      TX_ENGINE_DATABASE_CONNECTIONS: testConnections,
      TX_ENGINE_MANAGEMENT_PORT_NUMBER: '0',
      CHAINS_FILE: join(this.folder, 'chains.json'),
      ACROSS_URL: this.simulators.acrossUrl,
      LIFI_URL: this.simulators.lifiUrl,
      DEFILLAMA_URL: this.simulators.defillamaUrl,
      ...this.options.settings,
    };
  }

  async stopApps(): Promise<void> {
    await Promise.all(this.apps.splice(0).map((app) => app.close()));
  }

  async close(): Promise<void> {
    await this.stopApps();
    for (const close of this.closers.splice(0).reverse()) await close();
  }

  get user(): HDNodeWallet {
    return this.chain.payer;
  }

  /** Returns a new funded wallet, so that no other test changes its nonces and balances. */
  async newUser(tokens: Partial<Record<Symbol, bigint>> = {}): Promise<HDNodeWallet> {
    const wallet = HDNodeWallet.createRandom().connect(this.chain.anvil.provider) as HDNodeWallet;
    await this.chain.anvil.send('anvil_setBalance', [wallet.address, `0x${(10n ** 20n).toString(16)}`]);
    for (const [symbol, amount] of Object.entries(tokens) as [Symbol, bigint][])
      await this.chain.transfer(wallet.address, amount, this.address(symbol));
    return wallet;
  }

  /** Returns undefined for the native coin. */
  address(symbol: Symbol, chain = this.chain): string | undefined {
    const { usdc, usdt, dai, weth } = chain;
    return { ETH: undefined, USDC: usdc, USDT: usdt, DAI: dai, WETH: weth }[symbol]?.address;
  }

  balance(symbol: Symbol, of: string, chain = this.chain): Promise<bigint> {
    return chain.balanceOf(of, this.address(symbol, chain));
  }

  call<I, O>(operation: BusOperation<I, O>, input: I, as = owner): Promise<O> {
    return this.client.call(operation, input, callContext({ principal: keyPrincipal('key-1', as) }));
  }

  /** Calls with an idempotency key. */
  callKeyed<I, O>(operation: BusOperation<I, O>, input: I, idempotencyKey: string): Promise<O> {
    const context = callContext({ principal: keyPrincipal('key-1', owner) });
    return this.client.call(operation, input, { ...context, idempotencyKey });
  }

  /** Returns the error of a call, with input of any type. */
  async failureOf(operation: BusOperation<any, any>, input: unknown, as = owner): Promise<DomainError> {
    const outcome: unknown = await this.call(operation, input, as).catch((error: unknown) => error);
    if (outcome instanceof DomainError) return outcome;
    throw new Error(`${operation.subject} succeeded: ${JSON.stringify(outcome)}`);
  }

  swapRequest({ from, to, amount, isAcross = false, slippageBps = 50 }: SwapInput): SwapQuoteRequest {
    const [origin, destination] = [this.chain, isAcross ? this.other : this.chain];
    const token = (symbol: Symbol, chain: LocalChain) => {
      return { address: this.address(symbol, chain) ?? ZeroAddress, chainId: chainIdOf(chain) };
    };
    return {
      inputToken: token(from, origin),
      outputToken: token(to, destination),
      inputAmount: String(amount),
      slippageBps,
    };
  }

  quote(input: SwapInput): Promise<SwapQuoteReply> {
    return this.call(swapQuotesApi.operations.quoteSwap, this.swapRequest(input));
  }

  build(quoteId: string, user: string, changes: Partial<BuildRequest> = {}): Promise<BuiltSet> {
    const request = { quoteId, userAddress: user, skipApprovals: false, ...changes };
    return this.call(transactionsApi.operations.buildTransactions, request);
  }

  /** Requests a quote and builds it. */
  async built(
    input: SwapInput,
    user: { address: string },
    changes: Partial<BuildRequest> = {},
  ): Promise<BuiltSet> {
    return this.build((await this.quote(input)).quoteId, user.address, changes);
  }

  batch(request: BatchRequest): Promise<BatchReply> {
    return this.call(transactionsApi.operations.batchTransactions, request);
  }

  execute(transactionId: string, signatures: string[], broadcast = true): Promise<ExecutedSet> {
    return this.call(transactionsApi.operations.executeTransactions, {
      transactionId,
      signatures,
      broadcast,
    });
  }

  async executed(set: BuiltSet, user: HDNodeWallet): Promise<ExecutedSet> {
    return this.execute(set.transactionId, await signAll(set, user));
  }

  /** Returns a set of a batch, read from its status. */
  async builtSet(transactionId: string | null): Promise<BuiltSet> {
    const id = transactionId!;
    const { details, status } = await this.status(id, true);
    const { built: transactions, summary, outputAmount, minOutputAmount, validUntil } = details!;
    return { transactionId: id, status, transactions, summary, outputAmount, minOutputAmount, validUntil };
  }

  status(transactionId: string, includeDetails = false): Promise<TransactionStatus> {
    return this.call(transactionsApi.operations.transactionStatus, { transactionId, includeDetails });
  }

  snapshot(transactionId: string): Promise<TransactionUpdate> {
    return this.call(snapshotsApi.operations.snapshot, { transactionId });
  }

  /** Resolves with the status once it matches. */
  until(id: string, expected: Partial<TransactionStatus>, timeoutMs = 60_000): Promise<TransactionStatus> {
    return eventually(
      async () => {
        const status = await this.status(id, true);
        expect(status).toMatchObject(expected);
        return status;
      },
      { timeoutMs },
    );
  }

  /** Mines blocks until the status matches. */
  async mining(
    id: string,
    expected: Partial<TransactionStatus>,
    timeoutMs = 60_000,
  ): Promise<TransactionStatus> {
    let isDone = false;
    const mine = async (): Promise<void> => {
      while (!isDone) {
        for (const { anvil } of [this.chain, this.other]) await anvil.mine();
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    };
    const mined = mine();
    try {
      return await this.until(id, expected, timeoutMs);
    } finally {
      isDone = true;
      await mined;
    }
  }
}

export const chainIdOf = ({ id }: LocalChain): number => Number(id.split(':')[1]);

/** Signs all transactions as a wallet does. */
export function signAll(
  { transactions }: Pick<BuiltSet, 'transactions'>,
  user: HDNodeWallet,
): Promise<string[]> {
  return Promise.all(
    transactions.map(({ gas, gasPrice, maxFeePerGas, maxPriorityFeePerGas, ...rest }) => {
      const { chainId, to, data, value, nonce } = rest;
      const fees = gasPrice ? { type: 0, gasPrice } : { type: 2, maxFeePerGas, maxPriorityFeePerGas };
      return user.signTransaction({ chainId, to, data, value, nonce, gasLimit: gas, ...fees });
    }),
  );
}
