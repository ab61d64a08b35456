import type { Clock } from '@tollbridge/database';
import type { FastifyInstance } from 'fastify';
import type { Asset, Assets } from '../oneclick/assets';
import { coingeckoIds } from '../prices/price-table';
import type { PricesRepository } from '../prices/prices.repository';

export interface DefiLlamaParts {
  assets: Assets;
  prices: PricesRepository;
  clock: Clock;
}

interface Coin {
  decimals?: number;
  symbol: string;
  price: number;
  /** Unix seconds. */
  timestamp: number;
  confidence: number;
}

/** The provider's chain names by chain id. Chains that the provider does not support are absent. */
const slugs: Readonly<Record<string, string>> = {
  'eip155:1': 'ethereum',
  'eip155:8453': 'base',
  'eip155:42161': 'arbitrum',
  'eip155:137': 'polygon',
  'eip155:10': 'optimism',
  'eip155:56': 'bsc',
  'eip155:43114': 'avax',
  solana: 'solana',
  tron: 'tron',
  sui: 'sui',
  ton: 'ton',
  near: 'near',
  aptos: 'aptos',
  scroll: 'scroll',
  gnosis: 'xdai',
  bera: 'berachain',
  monad: 'monad',
};
const nativeAddress = '0x0000000000000000000000000000000000000000';
const confidence = 0.99;

/** `GET /prices/current/{ids}`, with the shared price table of all simulators. */
export function registerDefiLlama(server: FastifyInstance, { assets, prices, clock }: DefiLlamaParts): void {
  const byId = new Map(assets.all.flatMap((asset) => idsOf(asset).map((id) => [id, asset] as const)));
  const symbols = new Map(Object.entries(coingeckoIds).map(([symbol, id]) => [`coingecko:${id}`, symbol]));
  server.get<{ Params: { '*': string } }>('/prices/current/*', async (request) => {
    const table = await prices.all();
    const ids = request.params['*'].split(',');
    const coins: Record<string, Coin> = {};
    for (const id of ids) {
      const asset = byId.get(id) ?? byId.get(id.toLowerCase());
      const symbol = asset?.symbol ?? symbols.get(id);
      // The reply omits unknown ids.
      if (symbol === undefined) continue;
      const { usd, frozenAt } = table.get(symbol)!;
      const atMs = frozenAt?.getTime() ?? clock.now();
      coins[id] = {
        ...(asset && { decimals: asset.decimals }),
        symbol,
        price: Number(usd),
        timestamp: Math.floor(atMs / 1_000),
        confidence,
      };
    }
    return { coins };
  });
}

function idsOf({ chain, address }: Asset): string[] {
  const slug = slugs[chain.id];
  if (slug === undefined) return [];
  const name = address ?? nativeAddress;
  return [`${slug}:${chain.family === 'evm' ? name.toLowerCase() : name}`];
}
