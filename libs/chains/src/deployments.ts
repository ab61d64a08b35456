import { readFileSync } from 'node:fs';
import { getAddress, isAddress } from 'ethers';
import { findChain, type Chain, type Token } from './registry';

/** A chain on which this deployment takes direct payments. */
export interface DeployedChain extends Chain {
  chainId: number;
  rpcUrls: readonly string[];
  payContract: string;
  /** New orders do not use them; payments of older orders are still found on them. */
  formerPayContracts: readonly string[];
  /** Blocks below it are never looked at; the block in which the contract was deployed is right. */
  startHeight: number;
  pollIntervalMs: number;
  /** A node whose head is further behind the best one's than this is set aside. */
  maxLagBlocks: number;
}

export interface DeploymentEntry {
  chain: string;
  rpcUrls: string[];
  payContract: string;
  formerPayContracts?: string[];
  startHeight?: number;
  confirmations?: number;
  pollIntervalMs?: number;
  maxLagBlocks?: number;
  /** Replaces the registry's tokens where contracts stand at other addresses, as in the sandbox. */
  tokens?: { symbol: string; address: string | null; decimals: number; name?: string }[];
}

// About a minute of blocks, and never fewer than a few: nodes behind one load balancer differ by one or two.
const defaultMaxLag = (blockTimeMs: number) => Math.max(5, Math.ceil(60_000 / blockTimeMs));

// A pause of 0 would ask the nodes without end; no confirmation at all would settle what has not happened.
const leastNumbers = [
  ['startHeight', 0],
  ['confirmations', 1],
  ['pollIntervalMs', 10],
  ['maxLagBlocks', 0],
] as const;

/**
 * Reads `CHAINS_FILE`: `{"chains": [{"chain", "rpcUrls", "payContract", …}]}`.
 * @throws Error naming everything that is wrong with it.
 */
export function loadDeployments(path: string): DeployedChain[] {
  const entries = (JSON.parse(readFileSync(path, 'utf8')) as { chains?: DeploymentEntry[] }).chains;
  if (!Array.isArray(entries)) throw new Error(`${path} has no list "chains"`);
  const problems = entries.flatMap((entry, index) =>
    problemsOf(entry).map((problem) => `chains[${index}] ${problem}`),
  );
  if (problems.length > 0) throw new Error(`${path} is not usable: ${problems.join('; ')}`);
  return entries.map(deploy);
}

function problemsOf(entry: DeploymentEntry): string[] {
  const problems: string[] = [];
  const chain = findChain(String(entry.chain));
  if (!chain || chain.family !== 'evm' || !chain.isDirect)
    problems.push('chain must be a direct EVM chain of the registry');
  if (
    !Array.isArray(entry.rpcUrls) ||
    entry.rpcUrls.length === 0 ||
    !entry.rpcUrls.every((url) => URL.canParse(url))
  ) {
    problems.push('rpcUrls must be a list of at least one URL');
  }
  if (!isAddress(entry.payContract)) problems.push('payContract must be an address');
  const former = entry.formerPayContracts ?? [];
  if (!Array.isArray(former) || !former.every((address) => isAddress(address)))
    problems.push('formerPayContracts must be a list of addresses');
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
  const chain = findChain(entry.chain)!;
  const known = new Map(chain.tokens.map((token) => [token.symbol, token]));
  const tokens = entry.tokens?.map(({ symbol, address, decimals, name }): Token => {
    const logo = known.get(symbol)?.logo ?? `/logos/tokens/${symbol.toLowerCase()}.svg`;
    return {
      symbol,
      name: name ?? known.get(symbol)?.name ?? symbol,
      decimals,
      address: address && getAddress(address),
      logo,
    };
  });
  return {
    ...chain,
    chainId: chain.chainId!,
    tokens: tokens ?? chain.tokens,
    rpcUrls: entry.rpcUrls,
    payContract: getAddress(entry.payContract),
    formerPayContracts: (entry.formerPayContracts ?? []).map((address) => getAddress(address)),
    startHeight: entry.startHeight ?? 0,
    confirmations: entry.confirmations ?? chain.confirmations,
    pollIntervalMs: entry.pollIntervalMs ?? Math.min(chain.blockTimeMs, 4_000),
    maxLagBlocks: entry.maxLagBlocks ?? defaultMaxLag(chain.blockTimeMs),
  };
}
