import { startHttpServer, type HttpServer } from './http-server';

/** Servers of token prices (DefiLlama) and of exchange rates (Open Exchange Rates), with values that a test sets. */
export class RateServers {
  /** The price of every token in dollars. */
  usd = 1;
  /** Units of each currency for one dollar. */
  perUsd: Record<string, number> = { EUR: 0.92, JPY: 154 };
  /** Whether the server of token prices fails. */
  isDown = false;
  private tokens: HttpServer;
  private currencies: HttpServer;

  private constructor(private readonly clock: { now(): number }) {}

  static async start(clock: { now(): number }): Promise<RateServers> {
    const servers = new RateServers(clock);
    servers.tokens = await startHttpServer(({ path }) =>
      servers.isDown ? { status: 503, body: {} } : servers.coinsOf(path),
    );
    servers.currencies = await startHttpServer(() => servers.rates());
    return servers;
  }

  /** The settings of an app that reads both servers, only when a test asks for a read. */
  get settings(): NodeJS.ProcessEnv {
    return {
      DEFILLAMA_URL: this.tokens.url,
      OPEN_EXCHANGE_RATES_URL: this.currencies.url,
      OPEN_EXCHANGE_RATES_APP_ID: '0123456789abcdef0123456789abcdef',
      PRICES_EVERY_SECONDS: '0',
      RATES_EVERY_SECONDS: '60',
    };
  }

  reset(): void {
    [this.usd, this.perUsd, this.isDown] = [1, { EUR: 0.92, JPY: 154 }, false];
  }

  async close(): Promise<void> {
    await this.tokens?.close();
    await this.currencies?.close();
  }

  private get seconds(): number {
    return Math.floor(this.clock.now() / 1_000);
  }

  private coinsOf(path: string): { body: object } {
    const ids = decodeURIComponent(path.split('/').at(-1)!.split('?')[0]!).split(',');
    const coin = { price: this.usd, timestamp: this.seconds, confidence: 0.99, symbol: 'X' };
    return { body: { coins: Object.fromEntries(ids.map((id) => [id, coin])) } };
  }

  private rates(): { body: object } {
    return { body: { timestamp: this.seconds, base: 'USD', rates: { USD: 1, ...this.perUsd } } };
  }
}
