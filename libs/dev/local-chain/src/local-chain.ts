import type { UniswapV3Contracts } from '@tollbridge/chains';
import {
  deployAcross,
  deployUniswap,
  openPools,
  type AcrossContracts,
  type UniswapDeployment,
} from '@tollbridge/local-contracts';
import {
  deployMulticall3,
  deployPermit2,
  deployTestToken,
  deployTollbridgePay,
  deployTollbridgePayouts,
  deployUsdc,
  deployWrappedEther,
  deployX402Contracts,
  mined,
  orderIdToBytes16,
  sandboxTokenAt,
  tollbridgePayAbi,
  tollbridgePayCreationCode,
  wrappedEtherAt,
  type SandboxTokenHandle,
} from '@tollbridge/onchain';
import type { Anvil } from '@tollbridge/testing';
import { Contract, ContractFactory, MaxUint256, ZeroAddress, type HDNodeWallet, type Signer } from 'ethers';
import { deployedOnce, type Deployed } from './deployed-once';

/** Argument of the payment contract's `pay`, as in the API: `direct.payment_order`. */
export interface PayTerms {
  order_id: string;
  token_in: string;
  token_out: string;
  amount_in: string;
  token_in_address: string;
  merchant: string;
  merchant_amount: string;
  fee_receiver: string;
  fee_amount: string;
  deadline: number;
}

export interface TestToken extends SandboxTokenHandle {
  symbol: string;
  decimals: number;
}

export interface PayOptions {
  from?: HDNodeWallet;
  /** Another contract instead of the payment contract. */
  contract?: string;
  /** Sends without a simulation, so that a block contains the reverted payment. */
  isForced?: boolean;
  nonce?: number;
}

/** Initial balance of a payer's wallet in every token, in the smallest unit. */
const fundsAtomic = 10n ** 24n;
/** The deployer's own coins must back WETH. */
const wrappedAtomic = 10n ** 20n;
/** Prices of the tokens in the pools, in US dollars. */
const poolPrices = { USDC: '1', USDT: '1.0002', DAI: '0.9998', WETH: '4200' };
const payGasLimit = 1_000_000;
const minedTimeoutMs = 20_000;

type Tokens = Record<'usdc' | 'usdt' | 'dai' | 'fakeUsdc' | 'weth', TestToken>;

/** A real node with the payment contract, tokens, and wallets with balances. */
export class LocalChain {
  /** CAIP-2 id, as in the registry. */
  readonly id: string;
  /** Circle's original contract. */
  readonly usdc: TestToken;
  /** A standard token with 6 decimals. */
  readonly usdt: TestToken;
  /** A standard token with 18 decimals. */
  readonly dai: TestToken;
  /** Another token with the symbol USDC, without value. */
  readonly fakeUsdc: TestToken;
  readonly weth: TestToken;
  /** Null before `deployExchange`. */
  exchange: UniswapDeployment | null = null;
  /** Across contracts; null before `deployBridge`. */
  bridge: AcrossContracts | null = null;
  /** Null before `deployPayouts`. */
  payoutContract: string | null = null;
  readonly payer: HDNodeWallet;
  readonly stranger: HDNodeWallet;
  /** Also has every token, for simulators that pay. */
  readonly solver: HDNodeWallet;

  private constructor(
    readonly anvil: Anvil,
    readonly payContract: string,
    tokens: Tokens,
    private deployed: Deployed,
  ) {
    this.id = `eip155:${anvil.chainId}`;
    this.usdc = tokens.usdc;
    this.usdt = tokens.usdt;
    this.dai = tokens.dai;
    this.fakeUsdc = tokens.fakeUsdc;
    this.weth = tokens.weth;
    [this.payer, this.stranger, this.solver] = [anvil.wallet(1), anvil.wallet(2), anvil.wallet(3)];
  }

  static async deploy(anvil: Anvil): Promise<LocalChain> {
    const before = { names: [], height: 0 };
    const deploy = () => deployBase(anvil);
    const { contracts, after } = await deployedOnce(anvil, { before, name: 'base', deploy });
    const deployer = anvil.wallet(0);
    const token = (key: keyof typeof tokenKinds): TestToken => {
      const handle = sandboxTokenAt(deployer, contracts[key]);
      return { ...handle, symbol: tokenKinds[key].symbol, decimals: tokenKinds[key].decimals };
    };
    const weth = { ...wrappedEtherAt(deployer, contracts.weth), symbol: 'WETH', decimals: 18 };
    const tokens = {
      usdc: token('usdc'),
      usdt: token('usdt'),
      dai: token('dai'),
      fakeUsdc: token('fakeUsdc'),
      weth,
    };
    return new LocalChain(anvil, contracts.payContract, tokens, after);
  }

  /** This chain's entry in a `CHAINS_FILE`. */
  deployment<C extends object>(changes: C) {
    const tokens = this.tradedTokens.map(({ symbol, address, decimals }) => ({
      symbol,
      address,
      decimals,
    }));
    return {
      chain: this.id,
      rpcUrls: [this.anvil.url],
      payContract: this.payContract,
      startHeight: 0,
      pollIntervalMs: 25,
      tokens: [{ symbol: 'ETH', address: null, decimals: 18 }, ...tokens],
      ...(this.payoutContract && { payoutContract: this.payoutContract }),
      ...(this.exchange && { uniswapV3: uniswapOf(this.exchange) }),
      ...(this.bridge && { otherContracts: { 'Across SpokePool': this.bridge.spokePool } }),
      ...changes,
    };
  }

  /** Uniswap V3 with deep pools. Deployment lasts about a second, so only tests with swaps request it. */
  async deployExchange(): Promise<UniswapDeployment> {
    this.exchange = await this.once('exchange', async (deployer) => {
      const uniswap = await deployUniswap(deployer, { wrappedCoin: this.weth.address });
      await openPools(deployer, { uniswap, tokens: this.tradedTokens, prices: poolPrices });
      return uniswap;
    });
    return this.exchange;
  }

  /** Permit2 and the payout contract. Only tests with payouts request them. */
  async deployPayouts(feeRecipient: string): Promise<string> {
    this.payoutContract = await this.once(`payouts-${feeRecipient}`, async (deployer) => {
      await deployPermit2(deployer);
      return (await deployTollbridgePayouts(deployer, feeRecipient)).address;
    });
    return this.payoutContract;
  }

  /** Permit2, Multicall3 and the contracts of x402. Only tests of the facilitator request them. */
  async deployX402(): Promise<void> {
    await this.once('x402', async (deployer) => {
      await deployX402Contracts(deployer);
      return {};
    });
  }

  /** This chain's part of Across; the solver is the owner. */
  async deployBridge(): Promise<AcrossContracts> {
    const options = { wrappedCoin: this.weth.address, owner: this.solver.address };
    this.bridge = await this.once('bridge', (deployer) => deployAcross(deployer, options));
    return this.bridge;
  }

  private async once<Contracts>(
    name: string,
    deploy: (deployer: Signer) => Promise<Contracts>,
  ): Promise<Contracts> {
    const { contracts, after } = await deployedOnce(this.anvil, {
      before: this.deployed,
      name,
      deploy: () => deploy(this.anvil.wallet(0)),
    });
    this.deployed = after;
    return contracts;
  }

  private get tradedTokens(): readonly TestToken[] {
    return [this.usdc, this.usdt, this.dai, this.weth];
  }

  /** Sends a payment and returns its hash. Does not wait for a block. */
  async send(terms: PayTerms, options: PayOptions = {}): Promise<string> {
    const { from = this.payer, contract = this.payContract, isForced = false, nonce } = options;
    const isNative = terms.token_in_address === ZeroAddress;
    const pay = new Contract(contract, tollbridgePayAbi, from).getFunction('pay');
    const order = { ...terms, order_id: orderIdToBytes16(terms.order_id) };
    const transaction = await pay.send(order, {
      value: isNative ? terms.amount_in : 0n,
      ...(isForced && { gasLimit: payGasLimit }),
      ...(nonce !== undefined && { nonce }),
    });
    return transaction.hash;
  }

  /** Sends a payment and returns its hash when it is mined: successful, or reverted if forced. */
  async pay(terms: PayTerms, options: PayOptions = {}): Promise<string> {
    const hash = await this.send(terms, options);
    await this.mined(hash);
    return hash;
  }

  /** Transfers a token, or the native coin if `token` is omitted. Returns the hash when the transfer is mined. */
  async transfer(to: string, amountAtomic: bigint, token?: string, from = this.payer): Promise<string> {
    const abi = ['function transfer(address to, uint256 amount) returns (bool)'];
    const { hash } = token
      ? await new Contract(token, abi, from).getFunction('transfer').send(to, amountAtomic)
      : await from.sendTransaction({ to, value: amountAtomic });
    await this.mined(hash);
    return hash;
  }

  async balanceOf(owner: string, token?: string): Promise<bigint> {
    if (!token) return this.anvil.provider.getBalance(owner);
    const abi = ['function balanceOf(address) view returns (uint256)'];
    return (await new Contract(token, abi, this.anvil.provider)
      .getFunction('balanceOf')
      .staticCall(owner)) as bigint;
  }

  /** Resolves with the block number of a transaction. */
  async mined(hash: string): Promise<number> {
    // Not `waitForTransaction`: it follows blocks, and fails after a reorganisation.
    for (const endMs = performance.now() + minedTimeoutMs; performance.now() < endMs;) {
      const receipt = await this.anvil.provider.getTransactionReceipt(hash);
      if (receipt) return receipt.blockNumber;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    throw new Error(`${hash} was not mined within ${minedTimeoutMs} ms`);
  }

  /** Deploys the payment contract's code at another address. */
  async deployLookAlike(): Promise<string> {
    const factory = new ContractFactory(tollbridgePayAbi, tollbridgePayCreationCode, this.stranger);
    const contract = await factory.deploy();
    await mined(contract.deploymentTransaction()!);
    const address = await contract.getAddress();
    await approve(this.payer, this.usdc.address, address);
    return address;
  }
}

const tokenKinds = {
  usdc: { name: 'USD Coin', symbol: 'USDC', decimals: 6 },
  usdt: { name: 'Test Tether', symbol: 'USDT', decimals: 6 },
  dai: { name: 'Test Dai', symbol: 'DAI', decimals: 18 },
  fakeUsdc: { name: 'USD Coin', symbol: 'USDC', decimals: 6 },
};

/**
 * Deploys the payment contract and the tokens, and funds the wallets.
 * @returns the addresses
 */
async function deployBase(anvil: Anvil) {
  const deployer = anvil.wallet(0);
  const { address: payContract } = await deployTollbridgePay(deployer);
  const usdc = await deployUsdc(deployer);
  const usdt = await deployTestToken(deployer, tokenKinds.usdt);
  const dai = await deployTestToken(deployer, tokenKinds.dai);
  const fakeUsdc = await deployTestToken(deployer, tokenKinds.fakeUsdc);
  const weth = await deployWrappedEther(deployer);
  await deployMulticall3(deployer);
  const [payer, stranger, solver] = [anvil.wallet(1), anvil.wallet(2), anvil.wallet(3)];
  for (const wallet of [payer, stranger]) {
    for (const token of [usdc, usdt, dai, fakeUsdc]) {
      await token.mint(wallet.address, fundsAtomic);
      await approve(wallet, token.address, payContract);
    }
  }
  for (const token of [usdc, usdt, dai]) await token.mint(solver.address, fundsAtomic);
  for (const wallet of [payer, solver]) await weth.mint(wallet.address, wrappedAtomic);
  return {
    payContract,
    usdc: usdc.address,
    usdt: usdt.address,
    dai: dai.address,
    fakeUsdc: fakeUsdc.address,
    weth: weth.address,
  };
}

export const deployLocalChain = (anvil: Anvil): Promise<LocalChain> => LocalChain.deploy(anvil);

function uniswapOf({ factory, quoter, router, wrappedCoin }: UniswapDeployment): UniswapV3Contracts {
  return { factory, quoter, router, wrappedCoin };
}

async function approve(owner: HDNodeWallet, token: string, spender: string): Promise<void> {
  const abi = ['function approve(address spender, uint256 amount) returns (bool)'];
  const transaction = await new Contract(token, abi, owner).getFunction('approve').send(spender, MaxUint256);
  await mined(transaction);
}
