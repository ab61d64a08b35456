import { systemClock, type Clock } from '@tollbridge/database';
import { deployLocalChain, type LocalChain } from '@tollbridge/local-chain';
import { spokePoolAbi, type AcrossContracts } from '@tollbridge/local-contracts';
import { eventually, freshDatabase, startAnvil, type Anvil, type FreshDatabase } from '@tollbridge/testing';
import { Contract, Interface, Wallet, ZeroAddress, type HDNodeWallet } from 'ethers';
import type { DepositStatus, SwapApproval } from '../across/wire';
import { startSwapSimulators, type RunningSwapSimulators } from '../simulators/start-swap-simulators';
import type { Answer } from './oneclick-harness';
import { migrateSandbox } from '../simulators/open-simulators';

/** One side of the harness: a node with an exchange and a bridge. */
export interface Side {
  chain: LocalChain;
  chainId: number;
  across: AcrossContracts;
}

export type Symbol = 'ETH' | 'WETH' | 'USDC' | 'USDT' | 'DAI';

export interface SwapParams {
  from: Symbol;
  to: Symbol;
  amountAtomic: bigint;
  recipient?: string;
  /** Additional parameters of the provider. */
  query?: Record<string, string>;
}

/** A quoted transaction of the user. */
export interface UserCall {
  to: string;
  data: string;
  value?: string | undefined;
}

const confirmations = 2;
const gasLimit = 2_000_000;

/** The simulators with two real nodes, real contracts and a real database, as the tests of other apps start them. */
export class SwapHarness {
  /** Errors of the simulators, for tests that expect none. */
  readonly problems = new Set<string>();
  base: Side;
  arbitrum: Side;
  database: FreshDatabase;
  simulators: RunningSwapSimulators;
  private readonly closers: (() => unknown)[] = [];

  private constructor(private readonly clock: Clock) {}

  static async start(clock: Clock = systemClock): Promise<SwapHarness> {
    const harness = new SwapHarness(clock);
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
    const [base, arbitrum] = await Promise.all(nodes.map(deploySide));
    this.base = base!;
    this.arbitrum = arbitrum!;
    await this.startSimulators();
  }

  /** Starts or restarts the simulators. */
  async startSimulators(): Promise<void> {
    const { privateKey, address } = this.base.chain.solver;
    this.simulators = await startSwapSimulators({
      database: this.database,
      chains: [this.base, this.arbitrum].map(({ chain, across }) => ({
        chain: chain.id,
        rpcUrl: chain.anvil.url,
        tokens: chain.deployment({}).tokens,
        confirmations,
        uniswapV3: chain.exchange!,
        across,
      })),
      solver: { address, privateKey },
      clock: this.clock,
      onError: (error) => this.problems.add(String(error)),
    });
  }

  async close(): Promise<void> {
    await this.simulators?.close();
    for (const close of this.closers) await close();
  }

  /** Returns the reply of a provider to a GET request. */
  async get<T = any>(url: string, query: Record<string, string> = {}): Promise<Answer<T>> {
    const reply = await fetch(`${url}?${new URLSearchParams(query)}`);
    return { status: reply.status, body: (await reply.json()) as T };
  }

  async post<T = any>(url: string, body: unknown): Promise<Answer<T>> {
    const headers = { 'content-type': 'application/json' };
    const reply = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
    return { status: reply.status, body: (await reply.json()) as T };
  }

  /** Returns the token address; the zero address means the native coin. */
  address({ chain }: Side, symbol: Symbol): string {
    if (symbol === 'ETH') return ZeroAddress;
    const { usdc, usdt, dai, weth } = chain;
    return { USDC: usdc, USDT: usdt, DAI: dai, WETH: weth }[symbol].address;
  }

  async balance(side: Side, symbol: Symbol, owner: string): Promise<bigint> {
    return side.chain.balanceOf(owner, symbol === 'ETH' ? undefined : this.address(side, symbol));
  }

  /** Returns the Across query of a payer's swap from Base to Arbitrum. */
  approvalQuery({ from, to, amountAtomic, recipient, query }: SwapParams): Record<string, string> {
    const { base, arbitrum } = this;
    return {
      amount: String(amountAtomic),
      inputToken: this.address(base, from),
      outputToken: this.address(arbitrum, to),
      originChainId: String(base.chainId),
      destinationChainId: String(arbitrum.chainId),
      depositor: base.chain.payer.address,
      ...(recipient !== undefined && { recipient }),
      ...query,
    };
  }

  async approval(wish: SwapParams): Promise<SwapApproval> {
    const url = `${this.simulators.acrossUrl}/swap/approval`;
    const { status, body } = await this.get<SwapApproval>(url, this.approvalQuery(wish));
    expect({ status, body }).toMatchObject({ status: 200 });
    return body;
  }

  /** Signs and sends an Across quote, and mines enough confirmations. Returns the hash of the deposit. */
  async carryOut({ approvalTxns = [], swapTx }: SwapApproval): Promise<string> {
    for (const approval of approvalTxns) await this.send(approval);
    return this.send(swapTx);
  }

  async send(call: UserCall, side = this.base, from: HDNodeWallet = side.chain.payer): Promise<string> {
    const { to, data, value } = call;
    const { hash } = await from.sendTransaction({ to, data, value: BigInt(value ?? 0), gasLimit });
    await side.chain.mined(hash);
    const receipt = await side.chain.anvil.provider.getTransactionReceipt(hash);
    expect(receipt).toMatchObject({ status: 1 });
    await side.chain.anvil.mine(confirmations);
    return hash;
  }

  async gasPaid(txHash: string, side = this.base): Promise<bigint> {
    const receipt = await side.chain.anvil.provider.getTransactionReceipt(txHash);
    return receipt!.fee;
  }

  async approve(symbol: Symbol, spender: string, side = this.base): Promise<void> {
    const abi = ['function approve(address spender, uint256 amount) returns (bool)'];
    const token = new Contract(this.address(side, symbol), abi, side.chain.payer);
    const { hash } = await token.getFunction('approve').send(spender, 2n ** 255n);
    await side.chain.mined(hash);
  }

  async status(txHash: string): Promise<Answer<DepositStatus>> {
    return this.get(`${this.simulators.acrossUrl}/deposit/status`, { depositTxnRef: txHash });
  }

  /** Resolves with the status of a deposit when it has the expected value. */
  async until(txHash: string, status: DepositStatus['status']): Promise<DepositStatus> {
    return eventually(async () => {
      const found = await this.status(txHash);
      expect(found.body).toMatchObject({ status });
      return found.body;
    });
  }

  /** Advances both chains to a time after the fill deadline. */
  async passFillDeadline(seconds: number): Promise<void> {
    const nodes = [this.base, this.arbitrum].map(({ chain }) => chain.anvil);
    const latest = Math.max(...(await Promise.all(nodes.map((node) => node.time()))));
    for (const node of nodes) {
      await node.mineAt(latest + seconds);
      await node.mine(confirmations);
    }
  }

  /** Returns the hashes of the transactions that filled deposits on Arbitrum. */
  async fills(): Promise<string[]> {
    const { chain, across } = this.arbitrum;
    const topics = [new Interface(spokePoolAbi).getEvent('FilledRelay')!.topicHash];
    const { provider } = chain.anvil;
    const logs = await provider.getLogs({ address: across.spokePool, topics, fromBlock: 0 });
    return logs.map(({ transactionHash }) => transactionHash);
  }
}

async function deploySide(anvil: Anvil): Promise<Side> {
  const chain = await deployLocalChain(anvil);
  await chain.deployExchange();
  const across = await chain.deployBridge();
  return { chain, chainId: Number((await anvil.provider.getNetwork()).chainId), across };
}

export const fresh = (): string => Wallet.createRandom().address;
