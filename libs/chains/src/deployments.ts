import { readFileSync } from 'node:fs';
import { getAddress, isAddress } from 'ethers';
import { findChain, type Chain, type Token } from './registry';

/** A chain on which this deployment takes direct payments. */
export interface DeployedChain extends Chain {
  chainId: number;
  rpcUrls: readonly string[];
  payContract: string;
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
  startHeight?: number;
  confirmations?: number;
  pollIntervalMs?: number;
  maxLagBlocks?: number;
  /** Replaces the registry's tokens where contracts stand at other addresses, as in the sandbox. */
  tokens?: { symbol: string; address: string | null; decimals: number; name?: string }[];
}

// About a minute of blocks, and never fewer than a few: nodes behind one load balancer differ by one or two.
const defaultMaxLag = (blockTimeMs: number) => Math.max(5, Math.ceil(60_000 / blockTimeMs));

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
  for (const name of ['startHeight', 'confirmations', 'pollIntervalMs', 'maxLagBlocks'] as const) {
    const value = entry[name];
    if (value !== undefined && !(Number.isSafeInteger(value) && value >= 0))
      problems.push(`${name} must be a whole number`);
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
    startHeight: entry.startHeight ?? 0,
    confirmations: entry.confirmations ?? chain.confirmations,
    pollIntervalMs: entry.pollIntervalMs ?? Math.min(chain.blockTimeMs, 4_000),
    maxLagBlocks: entry.maxLagBlocks ?? defaultMaxLag(chain.blockTimeMs),
  };
}
