import type { SandboxAccount, SandboxToken } from '@tollbridge/contracts';
import type { DeploymentEntry } from '@tollbridge/chains';
import {
  deployMulticall3,
  deployTestToken,
  deployTollbridgePay,
  deployTollbridgePayouts,
  deployUsdc,
  deployWrappedEther,
  deployX402Contracts,
  type SandboxTokenHandle,
} from '@tollbridge/onchain';
import {
  HDNodeWallet,
  JsonRpcProvider,
  Mnemonic,
  parseUnits,
  type HDNodeWallet as Account,
  type Signer,
} from 'ethers';
import { newDemoMerchant } from './demo-merchant';
import { Deployer } from './deployer';
import { deployMarkets, type Markets } from './deploy-markets';
import { fundSolver } from './fund-solver';
import { readDeployment, type LocalDeployment, type DeployedChain } from './local-deployment';

/** The mnemonic that local nodes fund. It is public, so funds on any other chain would be stolen. */
const phrase = 'test test test test test test test test test test test junk';

const roles = ['payer', 'merchant', 'fee_receiver', 'second_payer', 'stranger', 'solver'] as const;
const deployerIndex = 9;
// Enough for examples and load tests.
const holdings = '100000000';
// Part of the deployer's ten thousand coins is wrapped.
const wrappedHoldings = '1000';
// A block per second: a payment settles within seconds, and tests can produce short reorganisations.
const confirmations = 3;
// A transaction is mined immediately, and settles within 200 ms with this interval (bench row "payment mined to
// settled").
const pollIntervalMs = 100;

export interface Node {
  chainId: number;
  rpcUrl: string;
}

type Chain = Omit<DeployedChain, keyof Markets | 'payoutContract'>;

/** The deployment file in the form of any earlier version. */
export type EarlierDeployment = Omit<LocalDeployment, 'chains'> & {
  chains: (Chain & Partial<DeployedChain>)[];
};

/** Deploys missing contracts on the nodes and describes the whole deployment. Idempotent on the same nodes. */
export async function deployLocalChains(
  nodes: Node[],
  known: EarlierDeployment | undefined,
): Promise<LocalDeployment> {
  const accounts = roles.map((role, index) => accountOf(role, index));
  const chains = await Promise.all(nodes.map((node) => deployChain(node, accounts, known)));
  const wallet = accounts.find(({ role }) => role === 'merchant')!.address;
  const merchant = known?.merchant ?? newDemoMerchant(wallet);
  return { chains, accounts, merchant };
}

export function readDeploymentIfAny(path: string): EarlierDeployment | undefined {
  try {
    return readDeployment(path);
  } catch {
    return undefined;
  }
}

/** Returns the content of `CHAINS_FILE`: the local chains and networks, for the services. */
export function toChainsFile(
  deployment: LocalDeployment,
  networks: readonly DeploymentEntry[] = [],
): { chains: DeploymentEntry[] } {
  const chains = deployment.chains.map((chain) => {
    const { caip2, rpcUrl, payContract, payoutContract, tokens, across } = chain;
    const { factory, quoter, router, wrappedCoin, positionManager } = chain.uniswapV3;
    return {
      chain: caip2,
      rpcUrls: [rpcUrl],
      payContract,
      payoutContract,
      startHeight: 0,
      confirmations,
      pollIntervalMs,
      tokens,
      uniswapV3: { factory, quoter, router, wrappedCoin },
      otherContracts: {
        'Uniswap position manager': positionManager,
        'Across SpokePool': across.spokePool,
        'Across periphery': across.periphery,
        'Across multicall handler': across.multicallHandler,
      },
    };
  });
  return { chains: [...chains, ...networks] };
}

function accountOf(role: string, index: number): SandboxAccount {
  const { address, privateKey } = derive(index);
  return { role, address, privateKey };
}

function derive(index: number): Account {
  return HDNodeWallet.fromMnemonic(Mnemonic.fromPhrase(phrase), `m/44'/60'/0'/0/${index}`);
}

async function deployChain(
  node: Node,
  accounts: SandboxAccount[],
  known: EarlierDeployment | undefined,
): Promise<DeployedChain> {
  const { chainId, rpcUrl } = node;
  // By default, ethers waits four seconds for each transaction and caches a nonce for 250 ms.
  const provider = new JsonRpcProvider(rpcUrl, chainId, {
    staticNetwork: true,
    cacheTimeout: -1,
    pollingInterval: 50,
    // By default, a batch waits ten milliseconds for further requests.
    batchMaxCount: 1,
  });
  try {
    const before = known?.chains.find((chain) => chain.chainId === chainId);
    const signer = new Deployer(derive(deployerIndex).address, provider);
    const isThere = before !== undefined && (await haveCode(provider, contractsOf(before)));
    const chain = isThere ? { ...before, rpcUrl } : await deployContracts(signer, node, accounts);
    // Adds WETH to deployments of earlier versions, so that an upgrade does not discard their data.
    if (!chain.tokens.some(({ symbol }) => symbol === 'WETH'))
      chain.tokens = [...chain.tokens, await deployWeth(signer, accounts)];
    await deployMulticall3(signer);
    await deployX402Contracts(signer);
    const feeReceiver = accounts.find(({ role }) => role === 'fee_receiver')!;
    const { address: payoutContract } = await deployTollbridgePayouts(signer, feeReceiver.address);
    const solver = accounts.find(({ role }) => role === 'solver')!;
    const markets = await deployMarkets(signer, {
      ...chain,
      isThere: (contracts) => haveCode(provider, contracts),
      owner: solver.address,
    });
    await fundSolver({ provider, deployer: signer, solver, tokens: chain.tokens });
    return { ...chain, payoutContract, ...markets };
  } finally {
    provider.destroy();
  }
}

async function deployContracts(
  signer: Signer,
  { chainId, rpcUrl }: Node,
  accounts: SandboxAccount[],
): Promise<Chain> {
  const { address: payContract } = await deployTollbridgePay(signer);
  const tokens = await deployTokens(signer, accounts);
  return { caip2: `eip155:${chainId}`, chainId, rpcUrl, payContract, tokens };
}

async function deployWeth(signer: Signer, accounts: SandboxAccount[]): Promise<SandboxToken> {
  const weth = await deployWrappedEther(signer);
  for (const { role, address } of accounts) {
    if (role.endsWith('payer')) await weth.mint(address, parseUnits(wrappedHoldings, 18));
  }
  return { symbol: 'WETH', address: weth.address, decimals: 18 };
}

function contractsOf({ payContract, tokens }: Chain): string[] {
  return [payContract, ...tokens.flatMap(({ address }) => address ?? [])];
}

async function haveCode(provider: JsonRpcProvider, contracts: readonly string[]): Promise<boolean> {
  const codes = await Promise.all(contracts.map((address) => provider.getCode(address)));
  return codes.every((code) => code !== '0x');
}

async function deployTokens(signer: Signer, accounts: SandboxAccount[]): Promise<SandboxToken[]> {
  const tokens: SandboxToken[] = [{ symbol: 'ETH', address: null, decimals: 18 }];
  const add = async (symbol: string, decimals: number, token: SandboxTokenHandle): Promise<void> => {
    for (const { role, address } of accounts) {
      if (role.endsWith('payer')) await token.mint(address, parseUnits(holdings, decimals));
    }
    tokens.push({ symbol, address: token.address, decimals });
  };
  await add('USDC', 6, await deployUsdc(signer));
  await add('USDT', 6, await deployTestToken(signer, { name: 'Tether USD', symbol: 'USDT', decimals: 6 }));
  await add(
    'DAI',
    18,
    await deployTestToken(signer, { name: 'Dai Stablecoin', symbol: 'DAI', decimals: 18 }),
  );
  return tokens;
}
