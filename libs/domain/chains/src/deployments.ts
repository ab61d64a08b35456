import { readFileSync } from 'node:fs';
import { canonicalAddress } from './addresses';
import { maxAmountOf } from './chains/descriptor';
import { findChain, type Chain, type KnownContract, type Token, type UniswapV3Contracts } from './registry';

/** A chain with configured nodes in this deployment. */
export interface ChainWithNodes extends Chain {
  rpcUrls: readonly string[];
  pollIntervalMs: number;
  /** A node is unhealthy when its head is more blocks than this behind the best head. */
  maxLagBlocks: number;
  /** Contracts of this deployment that must not receive payments. */
  contracts: readonly KnownContract[];
}

/** An EVM chain with configured nodes in this deployment. */
export interface EvmChain extends ChainWithNodes {
  chainId: number;
  /** Address of the payout contract; null if this deployment sends no payouts. */
  payoutContract: string | null;
  /** Contracts of this deployment's Uniswap; null if the published contracts are used. */
  uniswapV3: UniswapV3Contracts | null;
}

/** A chain with direct payments in this deployment. Addresses are canonical (`canonicalAddress`). */
export interface DirectChain extends ChainWithNodes {
  /** The contract, program or package that receives payments. */
  payContract: string;
  /** Earlier payment contracts. Payments of older orders are still detected on them; new orders do not use them. */
  formerPayContracts: readonly string[];
  /** First block to read: the block that deployed the contract. */
  startHeight: number;
  /** On Sui, the registry object that the payment package shared. */
  payRegistry?: PayRegistry;
}

/** A shared object of Sui. */
export interface PayRegistry {
  id: string;
  /** Object version at the time of sharing. Every transaction that uses the object must state it. */
  version: number;
}

/** An EVM chain with direct payments in this deployment. */
export interface DeployedChain extends EvmChain, DirectChain {
  chainId: number;
}

export interface DeploymentEntry {
  chain: string;
  rpcUrls: string[];
  /** Without it the chain has no direct payments; swaps on it still work. */
  payContract?: string;
  formerPayContracts?: string[];
  /** Only on Sui, with `payContract`: the registry object of the package, and its version when it was shared. */
  payRegistry?: { id: string; version: number };
  /** Without it, payouts on the chain can be previewed but not sent. */
  payoutContract?: string;
  startHeight?: number;
  confirmations?: number;
  pollIntervalMs?: number;
  maxLagBlocks?: number;
  uniswapV3?: UniswapV3Contracts;
  /**
   * Transaction page of a block explorer, with `{tx}` instead of the hash; null for none. By default that of the
   * registry.
   */
  explorerTxUrl?: string | null;
  /** Contracts of bridges and other services by name, if they differ from the published addresses. */
  otherContracts?: Record<string, string>;
  /** Replaces the registry's tokens if the contracts have other addresses, as in the sandbox. */
  tokens?: { symbol: string; address: string | null; decimals: number; name?: string }[];
}

// About a minute of blocks, but at least five: nodes behind one load balancer differ by one or two blocks.
const defaultMaxLag = (blockTimeMs: number) => Math.max(5, Math.ceil(60_000 / blockTimeMs));

// EVM chains are polled once per block, because more polls return nothing new. Nodes of other families are public
// services with rate limits, so they are polled at most once a second.
const defaultPollMs = ({ blockTimeMs, family }: Chain) =>
  family === 'evm' ? blockTimeMs : Math.max(blockTimeMs, 1_000);

// A pause of 0 would poll the nodes without end. Zero confirmations would settle unmined payments.
const leastNumbers = [
  ['startHeight', 0],
  ['confirmations', 1],
  ['pollIntervalMs', 10],
  ['maxLagBlocks', 0],
] as const;

const uniswapNames = ['factory', 'quoter', 'router', 'wrappedCoin'] as const;

/**
 * Reads the EVM chains with direct payments from `CHAINS_FILE`: `{"chains": [{"chain", "rpcUrls", "payContract", …}]}`.
 * @throws Error that lists every invalid field
 */
export function loadDeployments(path: string): DeployedChain[] {
  return payable(readEntries(path, 'evm')).map((read) => directChain(read, evmChain(read)));
}

/**
 * Reads the chains of a family with direct payments from `CHAINS_FILE`.
 * @throws Error that lists every invalid field
 */
export function loadDirectChains(path: string, family: DirectFamily): DirectChain[] {
  return payable(readEntries(path, family)).map((read) => directChain(read, chainWithNodes(read)));
}

/**
 * Returns a chain with direct payments from one entry of `CHAINS_FILE`. @throws Error that lists every invalid field
 */
export function directChainOf(entry: DeploymentEntry): DirectChain {
  const problems = validateEntry(entry);
  if (entry.payContract === undefined) problems.push('payContract is missing');
  if (problems.length > 0) throw new Error(`${entry.chain} is not usable: ${problems.join('; ')}`);
  const read = { entry, chain: findChain(entry.chain)! };
  return directChain(read, chainWithNodes(read));
}

/** Reads every EVM chain with nodes from `CHAINS_FILE`. @throws Error that lists every invalid field */
export function loadEvmChains(path: string): EvmChain[] {
  return readEntries(path, 'evm').map(evmChain);
}

/** Reads every chain of a family with nodes from `CHAINS_FILE`. @throws Error that lists every invalid field */
export function loadChains(path: string, family: DirectFamily): ChainWithNodes[] {
  return readEntries(path, family).map(chainWithNodes);
}

/** Reads the explorer pages in `CHAINS_FILE`, by chain id. @throws Error that lists every invalid field */
export function loadExplorers(path: string): ReadonlyMap<string, string | null> {
  const read = directFamilies.flatMap((family) => readEntries(path, family));
  return new Map(
    read.flatMap(({ entry: { explorerTxUrl }, chain }) =>
      explorerTxUrl === undefined ? [] : [[chain.id, explorerTxUrl] as const],
    ),
  );
}

/** Families that can take direct payments. */
export const directFamilies = ['evm', 'ton', 'solana', 'tron', 'sui'] as const;
export type DirectFamily = (typeof directFamilies)[number];

interface Read {
  entry: DeploymentEntry;
  chain: Chain;
}

const payable = (entries: Read[]): Read[] => entries.filter(({ entry }) => entry.payContract !== undefined);

/** Validates the whole file, including entries of other families. */
function readEntries(path: string, family: DirectFamily): Read[] {
  const entries = (JSON.parse(readFileSync(path, 'utf8')) as { chains?: DeploymentEntry[] }).chains;
  if (!Array.isArray(entries)) throw new Error(`${path} has no list "chains"`);
  const problems = entries.flatMap((entry, index) =>
    validateEntry(entry).map((problem) => `chains[${index}] ${problem}`),
  );
  if (problems.length > 0) throw new Error(`${path} is not usable: ${problems.join('; ')}`);
  return entries
    .map((entry) => ({ entry, chain: findChain(entry.chain)! }))
    .filter(({ chain }) => chain.family === family);
}

function validateEntry(entry: DeploymentEntry): string[] {
  const chain = findChain(String(entry.chain));
  return [
    ...chainProblems(entry, chain),
    ...addressProblems(entry, chain),
    ...leastNumbers.flatMap(([name, least]) => {
      const value = entry[name];
      const isFine = value === undefined || (Number.isSafeInteger(value) && value >= least);
      return isFine ? [] : [`${name} must be a whole number from ${least}`];
    }),
    ...tokenProblems(entry, chain),
    ...registryProblems(entry, chain),
    ...explorerProblems(entry),
  ];
}

function explorerProblems({ explorerTxUrl }: DeploymentEntry): string[] {
  if (explorerTxUrl === undefined || explorerTxUrl === null) return [];
  const isFine =
    typeof explorerTxUrl === 'string' &&
    explorerTxUrl.split('{tx}').length === 2 &&
    /^https?:/.test(URL.parse(explorerTxUrl)?.protocol ?? '');
  return isFine ? [] : ['explorerTxUrl must be an http or https URL with {tx} once, or null'];
}

function registryProblems({ payContract, payRegistry }: DeploymentEntry, chain: Chain | undefined): string[] {
  if (chain?.family !== 'sui')
    return payRegistry === undefined || !chain ? [] : ['payRegistry is only for Sui'];
  if ((payContract === undefined) !== (payRegistry === undefined))
    return ['payContract and payRegistry must be set together on Sui'];
  if (payRegistry === undefined) return [];
  const { id, version } = payRegistry ?? {};
  const isFine =
    typeof id === 'string' &&
    canonicalAddress(chain, id).ok &&
    Number.isSafeInteger(version) &&
    Number(version) > 0;
  return isFine ? [] : ['payRegistry must have an id and the version that it got when it was shared'];
}

function chainProblems({ rpcUrls, payContract }: DeploymentEntry, chain: Chain | undefined): string[] {
  const problems: string[] = [];
  if (!chain || !directFamilies.includes(chain.family as DirectFamily))
    problems.push('chain must be a direct chain or an EVM chain of the registry');
  else if (payContract !== undefined && !chain.isDirect)
    problems.push('payContract is only for direct chains');
  if (!Array.isArray(rpcUrls) || rpcUrls.length === 0 || !rpcUrls.every((url) => URL.canParse(url)))
    problems.push('rpcUrls must be a list of at least one URL');
  return problems;
}

function addressProblems(entry: DeploymentEntry, chain: Chain | undefined): string[] {
  const isAddress = (text: unknown) =>
    typeof text === 'string' && (chain === undefined ? text !== '' : canonicalAddress(chain, text).ok);
  const { payContract, payoutContract, uniswapV3, formerPayContracts = [], otherContracts = {} } = entry;
  const problems: string[] = [];
  if (payContract !== undefined && !isAddress(payContract)) problems.push('payContract must be an address');
  if (payoutContract !== undefined && !isAddress(payoutContract))
    problems.push('payoutContract must be an address');
  if (!Array.isArray(formerPayContracts) || !formerPayContracts.every(isAddress))
    problems.push('formerPayContracts must be a list of addresses');
  if (uniswapV3 !== undefined && !uniswapNames.every((name) => isAddress(uniswapV3?.[name])))
    problems.push(`uniswapV3 must have the addresses ${uniswapNames.join(', ')}`);
  if (typeof otherContracts !== 'object' || !Object.values(otherContracts).every(isAddress))
    problems.push('otherContracts must have an address for each name');
  const ofEvm = (['payoutContract', 'uniswapV3'] as const).filter((name) => entry[name] !== undefined);
  if (chain && chain.family !== 'evm' && ofEvm.length > 0)
    problems.push(`${ofEvm.join(' and ')} ${ofEvm.length === 1 ? 'is' : 'are'} only for EVM chains`);
  return problems;
}

function tokenProblems({ tokens = [] }: DeploymentEntry, chain: Chain | undefined): string[] {
  return tokens.flatMap((token) => {
    const isWhole = Number.isInteger(token.decimals) && token.decimals >= 0 && token.decimals <= 36;
    const hasAddress = token.address === null || (chain && readTokenAddress(chain, token.address) !== null);
    return token.symbol && isWhole && hasAddress
      ? []
      : [`tokens: ${String(token.symbol)} needs symbol, decimals and an address or null`];
  });
}

const suiCoinType = /^0x[0-9a-fA-F]{1,64}::[A-Za-z_]\w{0,127}::[A-Za-z_]\w{0,127}$/;

/** Returns a token address in canonical form; null for any other text. On Sui the address is the coin type. */
function readTokenAddress(chain: Chain, text: string): string | null {
  if (chain.family === 'sui') return suiCoinType.test(text) ? text : null;
  const read = canonicalAddress(chain, text);
  return read.ok ? read.address : null;
}

function directChain<Nodes extends ChainWithNodes>(
  { entry, chain }: Read,
  nodes: Nodes,
): Nodes & DirectChain {
  return {
    ...nodes,
    payContract: canonical(chain, entry.payContract!),
    formerPayContracts: (entry.formerPayContracts ?? []).map((address) => canonical(chain, address)),
    startHeight: entry.startHeight ?? 0,
    ...(entry.payRegistry
      ? { payRegistry: { id: canonical(chain, entry.payRegistry.id), version: entry.payRegistry.version } }
      : {}),
  };
}

function evmChain(read: Read): EvmChain {
  const { entry, chain } = read;
  const { uniswapV3 } = entry;
  return {
    ...chainWithNodes(read),
    chainId: chain.chainId!,
    payoutContract: entry.payoutContract ? canonical(chain, entry.payoutContract) : null,
    uniswapV3: uniswapV3
      ? {
          factory: canonical(chain, uniswapV3.factory),
          quoter: canonical(chain, uniswapV3.quoter),
          router: canonical(chain, uniswapV3.router),
          wrappedCoin: canonical(chain, uniswapV3.wrappedCoin),
        }
      : null,
  };
}

function chainWithNodes({ entry, chain }: Read): ChainWithNodes {
  return {
    ...chain,
    tokens: entry.tokens?.map((token) => deployedToken(token, chain)) ?? chain.tokens,
    rpcUrls: entry.rpcUrls,
    confirmations: entry.confirmations ?? chain.confirmations,
    pollIntervalMs: entry.pollIntervalMs ?? defaultPollMs(chain),
    maxLagBlocks: entry.maxLagBlocks ?? defaultMaxLag(chain.blockTimeMs),
    contracts: contractsOf(entry, chain),
  };
}

function contractsOf(entry: DeploymentEntry, chain: Chain): KnownContract[] {
  const { payContract, formerPayContracts = [], payoutContract, uniswapV3, otherContracts = {} } = entry;
  type Named = [name: string, address: string | undefined];
  const named: Named[] = [
    ...[payContract, ...formerPayContracts].map((it): Named => ['the payment contract', it]),
    ['the payout contract', payoutContract],
    ...uniswapNames.map((name): Named => [`the Uniswap ${name}`, uniswapV3?.[name]]),
    ...Object.entries(otherContracts).map(([name, it]): Named => [`the ${name} contract`, it]),
  ];
  return named.flatMap(([name, address]) =>
    address === undefined ? [] : [{ name: `${name} of this deployment`, address: canonical(chain, address) }],
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
    address: address && readTokenAddress(chain, address),
    maxAmountAtomic: maxAmountOf(chain.family, address),
    logo: known?.logo ?? `/logos/tokens/${symbol.toLowerCase()}.svg`,
  };
}

/** Canonicalises an address. The text must be validated before. */
function canonical(chain: Chain, text: string): string {
  const read = canonicalAddress(chain, text);
  if (!read.ok) throw new Error(`${text} is not a valid address on ${chain.name}: ${read.reason}`);
  return read.address;
}
