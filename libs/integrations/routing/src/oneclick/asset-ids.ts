import { tokenKey } from '@tollbridge/chains';
import { ExchangeAbort, ProviderError, untilAborted } from '@tollbridge/http';
import type { RouteToken } from '../cross-chain-routes';
import { chainByBlockchain, type WireToken } from './oneclick.wire';

// The list changes rarely. New tokens appear within a minute, and an outdated list is better than none.
const freshMs = 60_000;

/** Maximum waiting time of a caller. */
interface Patience {
  timeoutMs: number;
  signal: AbortSignal | undefined;
}

/** The provider's ids of tokens, by chain and address. The ids are opaque, and symbols are not unique. */
export class AssetIds {
  private assets: ReadonlyMap<string, WireToken> | undefined;
  private askedAtMs = 0;
  private reading: Promise<void> | undefined;

  constructor(
    private readonly provider: string,
    private readonly readTokens: () => Promise<WireToken[]>,
    private readonly nowMs = () => performance.now(),
  ) {}

  /** Returns undefined for unsupported tokens, and for tokens with other decimals than in the registry. */
  async of(tokens: readonly RouteToken[], patience: Patience): Promise<(string | undefined)[]> {
    if (!this.assets) await this.answered(this.refresh(), patience);
    // Refreshed in the background: callers use the old list, and a failure is not reported.
    else if (this.nowMs() - this.askedAtMs > freshMs) void this.refresh().catch(() => undefined);
    return tokens.map(({ chain, address, decimals }) => {
      const asset = this.assets?.get(tokenKey(chain, address));
      return asset?.decimals === decimals ? asset.assetId : undefined;
    });
  }

  /** Runs one read at a time, shared by all callers. It continues if a caller aborts. */
  private refresh(): Promise<void> {
    this.reading ??= this.read().finally(() => (this.reading = undefined));
    return this.reading;
  }

  private async read(): Promise<void> {
    // Recorded before the request, so that a failing provider is not called for every quote.
    this.askedAtMs = this.nowMs();
    this.assets = assetsOf(await this.readTokens());
  }

  private async answered(reading: Promise<void>, { timeoutMs, signal }: Patience): Promise<void> {
    const abort = new ExchangeAbort(timeoutMs, signal);
    try {
      await untilAborted(reading, abort.signal);
    } catch (error) {
      if (!abort.abortedBy) throw error;
      const message = 'the token list did not arrive in time';
      throw new ProviderError(this.provider, { kind: 'unavailable', message });
    } finally {
      abort.dispose();
    }
  }
}

function assetsOf(tokens: readonly WireToken[]): Map<string, WireToken> {
  const assets = new Map<string, WireToken>();
  for (const token of tokens) {
    const chain = chainByBlockchain.get(token.blockchain);
    const key = chain && tokenKey(chain, token.contractAddress);
    // The first row of a token is used. A repeated row is an older form or a fake.
    if (key && !assets.has(key)) assets.set(key, token);
  }
  return assets;
}
