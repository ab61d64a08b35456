import { createHash } from 'node:crypto';
import { chains, findChain, type Chain } from '@tollbridge/chains';
import { encodeBase58 } from 'ethers';
import { coingeckoIds } from '../prices/price-table';

/** A token on a chain that the provider supports. */
export interface Asset {
  /** Opaque to clients. */
  assetId: string;
  chain: Chain;
  /** The provider's chain name. */
  blockchain: string;
  symbol: string;
  decimals: number;
  /** Null for the native coin of the chain. */
  address: string | null;
}

export interface LocalTokens {
  /** Registry id of the chain, such as `eip155:8453`. */
  chain: string;
  tokens: readonly { symbol: string; address: string | null; decimals: number }[];
}

/** Returns the provider's chain name, which differs for some chains. */
const blockchainOf = ({ id, shortName }: Chain): string => (id === 'solana' ? 'sol' : shortName);

// Ids of chains with tokens of another bridge.
const omniNumbers: Readonly<Record<string, number>> = {
  pol: 137,
  bsc: 56,
  op: 10,
  avax: 43114,
  ton: 1117,
  stellar: 1100,
};

/** Registry tokens on supported chains. On chains with a local node: the tokens deployed there. */
export class Assets {
  readonly all: readonly Asset[];
  private readonly byId: ReadonlyMap<string, Asset>;

  constructor(local: readonly LocalTokens[]) {
    const localTokens = new Map(local.map(({ chain, tokens }) => [findChain(chain)?.id, tokens]));
    // The provider does not support test networks.
    this.all = chains
      .filter(({ isTestnet }) => !isTestnet)
      .flatMap((chain) => (localTokens.get(chain.id) ?? chain.tokens).map((token) => assetOf(chain, token)));
    this.byId = new Map(this.all.map((asset) => [asset.assetId, asset]));
  }

  find(assetId: string): Asset | undefined {
    return this.byId.get(assetId);
  }

  on(chainId: string, symbol: string): Asset {
    const asset = this.all.find(({ chain, symbol: its }) => chain.id === chainId && its === symbol);
    if (!asset) throw new Error(`Unknown asset: ${symbol} on ${chainId}`);
    return asset;
  }
}

function assetOf(
  chain: Chain,
  { symbol, decimals, address }: { symbol: string; decimals: number; address: string | null },
): Asset {
  const blockchain = blockchainOf(chain);
  return { assetId: assetIdOf(blockchain, address), chain, blockchain, symbol, decimals, address };
}

function assetIdOf(blockchain: string, address: string | null): string {
  if (blockchain === 'near') return `nep141:${address ?? 'wrap.near'}`;
  const omni = omniNumbers[blockchain];
  const digest = (text: string) => createHash('sha256').update(text).digest().subarray(0, 20);
  if (omni !== undefined) {
    const token = address === null ? Buffer.alloc(20) : digest(address);
    return `nep245:v2_1.omni.hot.tg:${omni}_${encodeBase58(token)}`;
  }
  if (address === null) return `nep141:${blockchain}.omft.near`;
  const name = /^0x[0-9a-fA-F]{40}$/.test(address) ? address.toLowerCase() : digest(address).toString('hex');
  return `nep141:${blockchain}-${name}.omft.near`;
}

export const coingeckoIdOf = ({ symbol }: Asset): string | undefined => coingeckoIds[symbol];
