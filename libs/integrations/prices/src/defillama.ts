// Source: the format of `prices/current` in DefiLlama's own adapters. Unknown ids are absent from the reply.
import { findChain } from '@tollbridge/chains';
import { decimalText } from '@tollbridge/money';
import { ProviderClient, ProviderError } from '@tollbridge/http';
import type { Price, PricedToken, PriceSource } from './price';

// A URL with 40 ids has about 2,500 characters, which every server accepts.
const idsPerCall = 40;
const minConfidence = 0.9;

/** Reads prices of any contract from DefiLlama, by chain and address. */
export class DefiLlama implements PriceSource {
  readonly name = 'defillama';
  private readonly client: ProviderClient;

  constructor(baseUrl: string) {
    this.client = new ProviderClient({ provider: this.name, baseUrl, timeoutMs: 8_000, maxConcurrent: 2 });
  }

  async read(
    tokens: readonly PricedToken[],
    signal: AbortSignal,
  ): Promise<{ token: PricedToken; price: Price }[]> {
    const known = tokens.flatMap((token) => {
      const id = idOf(token);
      return id ? [{ token, id }] : [];
    });
    const pages = Array.from({ length: Math.ceil(known.length / idsPerCall) }, (_, page) =>
      known.slice(page * idsPerCall, (page + 1) * idsPerCall),
    );
    const read = await Promise.allSettled(pages.map((page) => this.readPage(page, signal)));
    const failed = read.find((page) => page.status === 'rejected');
    // A failed page of ids must not discard the prices of the other pages.
    if (failed && read.every(({ status }) => status === 'rejected')) throw failed.reason;
    return read.flatMap((page) => (page.status === 'fulfilled' ? page.value : []));
  }

  private async readPage(
    page: readonly { token: PricedToken; id: string }[],
    signal: AbortSignal,
  ): Promise<{ token: PricedToken; price: Price }[]> {
    const ids = [...new Set(page.map(({ id }) => id))].map(encodeURIComponent).join(',');
    const path = `/prices/current/${ids}`;
    const reply = await this.client.request({ method: 'GET', path, query: { searchWidth: '4h' }, signal });
    const coins = (reply as { coins?: unknown } | undefined)?.coins;
    if (typeof coins !== 'object' || coins === null)
      throw new ProviderError(this.name, { kind: 'badReply', message: 'the reply has no coins' });
    return page.flatMap(({ token, id }) => {
      const price = priceOf(Reflect.get(coins, id));
      return price ? [{ token, price }] : [];
    });
  }
}

function idOf({ chain: chainId, address }: PricedToken): string | undefined {
  const names = findChain(chainId)?.defiLlama;
  if (!names) return undefined;
  if (address === null) return `coingecko:${names.coinId}`;
  return names.chain === null ? undefined : `${names.chain}:${address}`;
}

function priceOf(coin: unknown): Price | undefined {
  const { price, timestamp, confidence } = (coin ?? {}) as Record<string, unknown>;
  const usd = decimalText(price);
  if (usd === undefined || usd === '0' || typeof timestamp !== 'number') return undefined;
  // A price from few trades is not reliable.
  if (typeof confidence === 'number' && confidence < minConfidence) return undefined;
  return { usd, atMs: timestamp * 1000 };
}
