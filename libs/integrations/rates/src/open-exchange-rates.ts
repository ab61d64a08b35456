import { ProviderClient, readReply } from '@tollbridge/http';
import type { FiatReading, RateSource } from './fiat-rate';
import { parseLatestRates, readLatestRates } from './latest-rates';

// The reply has 4 KB.
const maxReplyBytes = 256 * 1024;
// The provider publishes every hour in its smallest plan.
const maxAgeMs = 3 * 60 * 60_000;

/** The rates of Open Exchange Rates: about 160 currencies of ISO 4217, every hour or more often by the plan. */
export class OpenExchangeRates implements RateSource {
  readonly name = 'openexchangerates';
  readonly maxAgeMs = maxAgeMs;
  private readonly client: ProviderClient;

  /** @param options `baseUrl` is `https://openexchangerates.org`; `appId` is the key of the account */
  constructor({ baseUrl, appId }: { baseUrl: string; appId: string }) {
    this.client = new ProviderClient({
      provider: this.name,
      baseUrl,
      // In a header, because URLs are logged by proxies.
      headers: { authorization: `Token ${appId}` },
      timeoutMs: 8_000,
      maxReplyBytes,
      maxConcurrent: 1,
      parseJson: parseLatestRates,
    });
  }

  async read(signal: AbortSignal): Promise<FiatReading[]> {
    const reply = await this.client.request({ method: 'GET', path: '/api/latest.json', signal });
    return readReply(this.name, () => readLatestRates(reply));
  }
}
