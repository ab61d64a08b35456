import { ProviderClient, readReply } from '@tollbridge/http';
import { readEurofxref } from './eurofxref';
import type { FiatReading, RateSource } from './fiat-rate';

const path = '/stats/eurofxref/eurofxref-daily.xml';
// The file has 2 KB.
const maxReplyBytes = 64 * 1024;
// The longest time without a file is five days, from the Thursday before Easter to the Tuesday after it.
const maxAgeMs = 6 * 24 * 60 * 60_000;

/**
 * The euro reference rates of the European Central Bank: about 30 currencies, once on each working day of TARGET, at
 * about 16:00 CET.
 */
export class EuropeanCentralBank implements RateSource {
  readonly name = 'ecb';
  readonly maxAgeMs = maxAgeMs;
  private readonly client: ProviderClient;

  /** @param baseUrl `https://www.ecb.europa.eu` */
  constructor(baseUrl: string) {
    this.client = new ProviderClient({
      provider: this.name,
      baseUrl,
      timeoutMs: 8_000,
      maxReplyBytes,
      maxConcurrent: 1,
    });
  }

  async read(signal: AbortSignal): Promise<FiatReading[]> {
    const headers = { accept: 'application/xml, text/xml' };
    const text = await this.client.request({ method: 'GET', path, replyAs: 'text', headers, signal });
    return readReply(this.name, () => readEurofxref(text as string));
  }
}
