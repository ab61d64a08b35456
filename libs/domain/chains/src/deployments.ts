import { readFileSync } from 'node:fs';
import { getAddress, isAddress } from 'ethers';
import { findChain, type Chain, type KnownContract, type Token, type UniswapV3Contracts } from './registry';

/** An EVM chain with nodes of this deployment. */
export interface EvmChain extends Chain {
  chainId: number;
  rpcUrls: readonly string[];
  pollIntervalMs: number;
  /** Address of the payout contract; null where this deployment sends no payouts. */
  payoutContract: string | null;
  /** Contracts of this deployment's Uniswap; null where the published ones are used. */
  uniswapV3: UniswapV3Contracts | null;
  /** A node is unhealthy when its head is more blocks behind the best head. */
  maxLagBlocks: number;
  /** Contracts of this deployment that must not receive payments. */
  contracts: readonly KnownContract[];
}

/** A chain on which this deployment takes direct payments. */
export interface DeployedChain extends EvmChain {
  payContract: string;
  /** Payments of older orders are still found on them; new orders do not use them. */
  formerPayContracts: readonly string[];
  /** The first block to read: the block in which the contract was deployed. */
  startHeight: number;
}

export interface DeploymentEntry {
  chain: string;
  rpcUrls: string[];
  /** Without it the chain takes no direct payments; swaps on it still work. */
  payContract?: string;
  formerPayContracts?: string[];
  /** Without it payouts on the chain can be previewed and not sent. */
  payoutContract?: string;
  startHeight?: number;
  confirmations?: number;
  pollIntervalMs?: number;
  maxLagBlocks?: number;
  uniswapV3?: UniswapV3Contracts;
  /** Contracts of bridges and others by name, where they differ from the published addresses. */
  otherContracts?: Record<string, string>;
  /** Replaces the registry's tokens where contracts have other addresses, as in the sandbox. */
  tokens?: { symbol: string; address: string | null; decimals: number; name?: string }[];
}

// About a minute of blocks, and never fewer than a few: nodes behind one load balancer differ by one or two.
const defaultMaxLag = (blockTimeMs: number) => Math.max(5, Math.ceil(60_000 / blockTimeMs));

// A pause of 0 would poll the nodes without end; zero confirmations would settle unmined payments.
const leastNumbers = [
  ['startHeight', 0],
  ['confirmations', 1],
  ['pollIntervalMs', 10],
  ['maxLagBlocks', 0],
] as const;

const uniswapNames = ['factory', 'quoter', 'router', 'wrappedCoin'] as const;

/**
 * Reads the chains that take direct payments from `CHAINS_FILE`: `{"chains": [{"chain", "rpcUrls", "payContract", …}]}`.
 * @throws Error that lists every invalid field
 */
export function loadDeployments(path: string): DeployedChain[] {
  return readEntries(path).flatMap((entry) => (entry.payContract === undefined ? [] : [deploy(entry)]));
}

/** Reads every chain with nodes from `CHAINS_FILE`. @throws Error that lists every invalid field */
export function loadEvmChains(path: string): EvmChain[] {
  return readEntries(path).map(evmChain);
}

function readEntries(path: string): DeploymentEntry[] {
  const entries = (JSON.parse(readFileSync(path, 'utf8')) as { chains?: DeploymentEntry[] }).chains;
  if (!Array.isArray(entries)) throw new Error(`${path} has no list "chains"`);
  const problems = entries.flatMap((entry, index) =>
    validateEntry(entry).map((problem) => `chains[${index}] ${problem}`),
  );
  if (problems.length > 0) throw new Error(`${path} is not usable: ${problems.join('; ')}`);
  return entries;
}

function validateEntry(entry: DeploymentEntry): string[] {
  const problems: string[] = [];
  const chain = findChain(String(entry.chain));
  if (!chain || chain.family !== 'evm') problems.push('chain must be an EVM chain of the registry');
  else if (entry.payContract !== undefined && !chain.isDirect)
    problems.push('payContract stands on direct chains only');
  if (
    !Array.isArray(entry.rpcUrls) ||
    entry.rpcUrls.length === 0 ||
    !entry.rpcUrls.every((url) => URL.canParse(url))
  ) {
    problems.push('rpcUrls must be a list of at least one URL');
  }
  if (entry.payContract !== undefined && !isAddress(entry.payContract))
    problems.push('payContract must be an address');
  if (entry.payoutContract !== undefined && !isAddress(entry.payoutContract))
    problems.push('payoutContract must be an address');
  const former = entry.formerPayContracts ?? [];
  if (!Array.isArray(former) || !former.every((address) => isAddress(address)))
    problems.push('formerPayContracts must be a list of addresses');
  const { uniswapV3 } = entry;
  if (uniswapV3 !== undefined && !uniswapNames.every((name) => isAddress(uniswapV3?.[name])))
    problems.push(`uniswapV3 must have the addresses ${uniswapNames.join(', ')}`);
  const others = entry.otherContracts ?? {};
  if (typeof others !== 'object' || !Object.values(others).every((address) => isAddress(address)))
    problems.push('otherContracts must have an address for each name');
  for (const [name, least] of leastNumbers) {
    const value = entry[name];
    if (value !== undefined && !(Number.isSafeInteger(value) && value >= least))
      problems.push(`${name} must be a whole number from ${least}`);
  }
  for (const token of entry.tokens ?? []) {
    const isWhole = Number.isInteger(token.decimals) && token.decimals >= 0 && token.decimals <= 36;
    if (!token.symbol || !isWhole || (token.address !== null && !isAddress(token.address))) {
      problems.push(`tokens: ${String(token.symbol)} needs symbol, decimals and an address or null`);
    }
  }
  return problems;
}

function deploy(entry: DeploymentEntry): DeployedChain {
  return {
    ...evmChain(entry),
    payContract: getAddress(entry.payContract!),
    formerPayContracts: (entry.formerPayContracts ?? []).map((address) => getAddress(address)),
    startHeight: entry.startHeight ?? 0,
  };
}

function evmChain(entry: DeploymentEntry): EvmChain {
  const chain = findChain(entry.chain)!;
  return {
    ...chain,
    chainId: chain.chainId!,
    tokens: entry.tokens?.map((token) => deployedToken(token, chain)) ?? chain.tokens,
    rpcUrls: entry.rpcUrls,
    confirmations: entry.confirmations ?? chain.confirmations,
    pollIntervalMs: entry.pollIntervalMs ?? Math.min(chain.blockTimeMs, 4_000),
    maxLagBlocks: entry.maxLagBlocks ?? defaultMaxLag(chain.blockTimeMs),
    payoutContract: entry.payoutContract ? getAddress(entry.payoutContract) : null,
    uniswapV3: entry.uniswapV3 ? checksummed(entry.uniswapV3) : null,
    contracts: contractsOf(entry),
  };
}

function contractsOf(entry: DeploymentEntry): KnownContract[] {
  const { payContract, formerPayContracts = [], payoutContract, uniswapV3, otherContracts = {} } = entry;
  type Named = [name: string, address: string | undefined];
  const named: Named[] = [
    ...[payContract, ...formerPayContracts].map((it): Named => ['the payment contract', it]),
    ['the payout contract', payoutContract],
    ...uniswapNames.map((name): Named => [`the Uniswap ${name}`, uniswapV3?.[name]]),
    ...Object.entries(otherContracts).map(([name, it]): Named => [`the ${name} contract`, it]),
  ];
  return named.flatMap(([name, address]) =>
    address === undefined ? [] : [{ name: `${name} of this deployment`, address: getAddress(address) }],
  );
}

function deployedToken(
  { symbol, address, decimals, name }: NonNullable<DeploymentEntry['tokens']>[number],
  chain: Chain,
): Token {
  const known = chain.tokens.find((token) => token.symbol === symbol);
  return {
    symbol,
    name: name ?? known?.name ?? symbol,
    decimals,
    address: address && getAddress(address),
    logo: known?.logo ?? `/logos/tokens/${symbol.toLowerCase()}.svg`,
  };
}

function checksummed({ factory, quoter, router, wrappedCoin }: UniswapV3Contracts): UniswapV3Contracts {
  return {
    factory: getAddress(factory),
    quoter: getAddress(quoter),
    router: getAddress(router),
    wrappedCoin: getAddress(wrappedCoin),
  };
}
