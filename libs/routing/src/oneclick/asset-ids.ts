import { tokenKey } from '@tollbridge/chains';
import type { RouteToken } from '../cross-chain-routes';
import { chainByBlockchain, type WireToken } from './oneclick.wire';

// The list changes rarely: a new token is served within a minute, and an old list is better than none.
const freshMs = 60_000;

/** The provider's ids of tokens, by chain and address: they are opaque, and symbols are not unique. */
export class AssetIds {
  private ids: ReadonlyMap<string, string> | undefined;
  private readAtMs = 0;
  private reading: Promise<void> | undefined;

  constructor(private readonly readTokens: (signal?: AbortSignal) => Promise<WireToken[]>) {}

  /** undefined for a token that it does not carry. */
  async of(tokens: readonly RouteToken[], signal?: AbortSignal): Promise<(string | undefined)[]> {
    const isStale = performance.now() - this.readAtMs > freshMs;
    if (!this.ids) await this.refresh(signal);
    // Nobody waits for a newer list, nor hears of its failure: the old one serves.
    else if (isStale) void this.refresh().catch(() => undefined);
    return tokens.map(({ chain, address }) => this.ids?.get(tokenKey(chain, address)));
  }

  /** One reading at a time, shared by all who ask. */
  private refresh(signal?: AbortSignal): Promise<void> {
    this.reading ??= this.readTokens()
      .then((tokens) => {
        this.ids = idsOf(tokens);
        this.readAtMs = performance.now();
      })
      .finally(() => (this.reading = undefined));
    return signal ? Promise.race([this.reading, rejectedBy(signal)]) : this.reading;
  }
}

function idsOf(tokens: readonly WireToken[]): Map<string, string> {
  const ids = new Map<string, string>();
  for (const { assetId, blockchain, contractAddress } of tokens) {
    const chain = chainByBlockchain[blockchain];
    const key = chain && tokenKey(chain, contractAddress);
    // A row that repeats a token is an older form of it, or a trap: the first counts.
    if (key && !ids.has(key)) ids.set(key, assetId);
  }
  return ids;
}

function rejectedBy(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
}
