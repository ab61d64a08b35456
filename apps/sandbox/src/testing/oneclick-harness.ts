import { deployLocalChain, type LocalChain } from '@tollbridge/local-chain';
import { mined } from '@tollbridge/onchain';
import {
  eventually,
  freshDatabase,
  ManualClock,
  startAnvil,
  type Anvil,
  type FreshDatabase,
} from '@tollbridge/testing';
import { Contract, Wallet } from 'ethers';
import { startOneClick, type RunningOneClick } from '../oneclick/start-oneclick';
import type { ExecutionStatus, QuoteRequest, QuoteResponse, TokenResponse } from '../oneclick/wire';
import { migrateSandbox } from '../simulators/open-simulators';

const erc20 = [
  'function balanceOf(address account) view returns (uint256)',
  'function transfer(address to, uint256 amount) returns (bool)',
  'function blacklist(address account)',
];

export interface Answer<T = any> {
  status: number;
  body: T;
}

/** The simulator with two real nodes and a real database, as the tests of other apps start it. */
export class OneClickHarness {
  readonly clock = new ManualClock();
  /** Errors of the simulator, for tests that expect none. */
  readonly problems = new Set<string>();
  base: LocalChain;
  arbitrum: LocalChain;
  database: FreshDatabase;
  oneclick: RunningOneClick;
  tokens: TokenResponse[];
  private readonly closers: (() => unknown)[] = [];

  static async start(): Promise<OneClickHarness> {
    const harness = new OneClickHarness();
    try {
      await harness.open();
      return harness;
    } catch (error) {
      await harness.close();
      throw error;
    }
  }

  private async open(): Promise<void> {
    const [database, ...nodes] = await Promise.all([
      freshDatabase('sandbox', migrateSandbox),
      startAnvil({ chainId: 8453 }),
      startAnvil({ chainId: 42161 }),
    ]);
    this.database = database;
    this.closers.push(() => database.drop(), ...nodes.map((node: Anvil) => () => node.stop()));
    const [base, arbitrum] = await Promise.all(nodes.map((node) => deployLocalChain(node)));
    this.base = base!;
    this.arbitrum = arbitrum!;
    await this.startSimulator();
    this.tokens = (await this.get<TokenResponse[]>('/v0/tokens')).body;
  }

  /** Starts the simulator, or restarts it with the same key. */
  async startSimulator(): Promise<void> {
    const { privateKey, address } = this.base.solver;
    this.oneclick = await startOneClick({
      database: this.database,
      chains: [this.base, this.arbitrum].map((chain) => ({
        chain: chain.id,
        rpcUrl: chain.anvil.url,
        tokens: chain.deployment({}).tokens,
        confirmations: 2,
      })),
      solver: { address, privateKey },
      clock: this.clock,
      onError: (error) => this.problems.add(String(error)),
    });
  }

  async close(): Promise<void> {
    await this.oneclick?.close();
    for (const close of this.closers) await close();
  }

  async get<T = any>(path: string): Promise<Answer<T>> {
    const reply = await fetch(this.oneclick.url + path);
    return { status: reply.status, body: (await reply.json()) as T };
  }

  async post<T = any>(path: string, body: unknown): Promise<Answer<T>> {
    const reply = await fetch(this.oneclick.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return { status: reply.status, body: (await reply.json()) as T };
  }

  assetId(blockchain: string, symbol: string): string {
    const token = this.tokens.find((it) => it.blockchain === blockchain && it.symbol === symbol);
    if (!token) throw new Error(`no ${symbol} on ${blockchain}`);
    return token.assetId;
  }

  /** Returns a request for 10 USDC to a new recipient on Arbitrum, paid in USDC on Base. */
  request(changes: Partial<QuoteRequest> = {}): QuoteRequest {
    return {
      dry: false,
      swapType: 'EXACT_OUTPUT',
      slippageTolerance: 100,
      originAsset: this.assetId('base', 'USDC'),
      depositType: 'ORIGIN_CHAIN',
      destinationAsset: this.assetId('arb', 'USDC'),
      amount: '10000000',
      refundTo: Wallet.createRandom().address,
      refundType: 'ORIGIN_CHAIN',
      recipient: Wallet.createRandom().address,
      recipientType: 'DESTINATION_CHAIN',
      deadline: new Date(this.clock.now() + 2 * 60 * 60 * 1_000).toISOString(),
      ...changes,
    };
  }

  async quote(changes: Partial<QuoteRequest> = {}): Promise<QuoteResponse> {
    const { status, body } = await this.post<QuoteResponse>('/v0/quote', this.request(changes));
    expect({ status, body }).toMatchObject({ status: 201 });
    return body;
  }

  /** Returns the error message of a rejected quote. */
  async rejection(changes: object): Promise<Answer<{ message: string | string[] }>> {
    return this.post('/v0/quote', { ...this.request(), ...changes });
  }

  /**
   * Makes a real transfer of the payer on the origin chain, and mines it. Two more blocks give it enough confirmations.
   */
  async pay(chain: LocalChain, symbol: string, to: string, amountAtomic: bigint): Promise<string> {
    const { payer } = chain;
    const token = this.tokenOn(chain, symbol);
    const sent =
      token === null
        ? await payer.sendTransaction({ to, value: amountAtomic })
        : await new Contract(token, erc20, payer).getFunction('transfer').send(to, amountAtomic);
    await chain.mined(sent.hash);
    await chain.anvil.mine(2);
    return sent.hash;
  }

  async balance(chain: LocalChain, symbol: string, owner: string): Promise<bigint> {
    const token = this.tokenOn(chain, symbol);
    const { provider } = chain.anvil;
    if (token === null) return provider.getBalance(owner);
    return (await new Contract(token, erc20, provider).getFunction('balanceOf').staticCall(owner)) as bigint;
  }

  /** Blocks an account in Circle's token, so that each of its transfers reverts. */
  async blockUsdc(chain: LocalChain, account: string): Promise<void> {
    const owner = chain.anvil.wallet(0);
    await mined(await new Contract(chain.usdc.address, erc20, owner).getFunction('blacklist').send(account));
  }

  tokenOn(chain: LocalChain, symbol: string): string | null {
    if (symbol === 'ETH') return null;
    return { USDC: chain.usdc, DAI: chain.dai, WETH: chain.weth }[symbol]!.address;
  }

  async status({ quote }: Pick<QuoteResponse, 'quote'>): Promise<ExecutionStatus> {
    const memo = quote.depositMemo ? `&depositMemo=${quote.depositMemo}` : '';
    const { body } = await this.get<ExecutionStatus>(
      `/v0/status?depositAddress=${encodeURIComponent(quote.depositAddress!)}${memo}`,
    );
    return body;
  }

  /** Resolves with the status when it has the expected value. */
  async until(
    quoted: Pick<QuoteResponse, 'quote'>,
    status: string,
    timeoutMs?: number,
  ): Promise<ExecutionStatus> {
    return eventually(
      async () => {
        const found = await this.status(quoted);
        expect(found.status).toBe(status);
        return found;
      },
      timeoutMs === undefined ? {} : { timeoutMs },
    );
  }

  /** Resolves when no payment is in progress, because each payment would mine a block. */
  async paidAll(): Promise<void> {
    await eventually(async () => {
      const open = "SELECT id FROM swap_payments WHERE state IN ('planned', 'signed')";
      expect(await this.database.query(open)).toEqual([]);
    });
  }

  /** Resolves when the worker has polled the newest block of every chain after this call. */
  async polled(): Promise<void> {
    const probe = await this.quote();
    await this.pay(this.base, 'USDC', probe.quote.depositAddress!, 1n);
    await this.until(probe, 'INCOMPLETE_DEPOSIT');
  }
}
