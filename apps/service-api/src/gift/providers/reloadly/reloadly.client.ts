import type { Clock } from '@tollbridge/database';
import { ProviderClient, ProviderError } from '@tollbridge/http';
import { parse } from 'lossless-json';
import { ReloadlyTokens } from './reloadly.tokens';

export const reloadlyApis = ['giftcards', 'topups', 'utilities'] as const;
export type ReloadlyApi = (typeof reloadlyApis)[number];

export interface ReloadlyOptions {
  authUrl: string;
  urls: Readonly<Record<ReloadlyApi, string>>;
  /**
   * The provider's own URL of each product: the audience of its tokens, also when `urls` contains a proxy or simulator.
   */
  audiences: Readonly<Record<ReloadlyApi, string>>;
  clientId: string;
  clientSecret: string;
  readTimeoutMs: number;
  purchaseTimeoutMs: number;
}

export interface ReloadlyRead {
  path: string;
  query?: Readonly<Record<string, string | undefined>>;
  /** Version in the media type. Version 2 exists for the codes of gift cards only. */
  version?: 1 | 2;
}

// Fits the catalogue of a large country: several hundred products with instructions of a few kilobytes each.
const maxReplyBytes = 16 * 1024 * 1024;
// Token request and purchase share the lease of the purchase, so the token request has a short time-out.
const tokenTimeoutMs = 10_000;

/** Numbers stay text: a double would lose digits of an amount. */
const parseJson = (text: string): unknown => parse(text);

/** HTTP client of the provider's three products. Each has its own token and circuit breaker. */
export class ReloadlyClient {
  private readonly tokens: ReloadlyTokens;
  private readonly clients: Readonly<Record<ReloadlyApi, ProviderClient>>;

  constructor(
    private readonly options: ReloadlyOptions,
    clock: Clock,
  ) {
    const { authUrl, clientId, clientSecret, readTimeoutMs: timeoutMs, urls } = options;
    const tokenOptions = { authUrl, clientId, clientSecret, timeoutMs: Math.min(timeoutMs, tokenTimeoutMs) };
    this.tokens = new ReloadlyTokens(tokenOptions, clock);
    const client = (api: ReloadlyApi): ProviderClient =>
      new ProviderClient({
        provider: `reloadly ${api}`,
        baseUrl: urls[api],
        timeoutMs,
        parseJson,
        maxReplyBytes,
      });
    const [giftcards, topups, utilities] = [client('giftcards'), client('topups'), client('utilities')];
    this.clients = { giftcards, topups, utilities };
  }

  read(api: ReloadlyApi, { path, query, version = 1 }: ReloadlyRead): Promise<unknown> {
    const parameters = query === undefined ? {} : { query };
    return this.withToken(api, (token) =>
      this.clients[api].request({
        method: 'GET',
        path,
        ...parameters,
        headers: headersOf(api, token, version),
      }),
    );
  }

  /** Sends a purchase once. It is repeated only after a 401: a rejected token proves that nothing was bought. */
  buy(api: ReloadlyApi, path: string, body: object): Promise<unknown> {
    const timeoutMs = this.options.purchaseTimeoutMs;
    const headers = (token: string) => headersOf(api, token, 1);
    return this.withToken(api, (token) =>
      this.clients[api].request({
        method: 'POST',
        path,
        body,
        headers: headers(token),
        changesSomething: true,
        timeoutMs,
      }),
    );
  }

  private async withToken(api: ReloadlyApi, send: (token: string) => Promise<unknown>): Promise<unknown> {
    const audience = this.options.audiences[api];
    const token = await this.tokens.of(audience);
    try {
      return await send(token);
    } catch (error) {
      if (!isUnauthorized(error)) throw error;
      this.tokens.invalidate(audience, token);
    }
    try {
      return await send(await this.tokens.of(audience));
    } catch (error) {
      if (!isUnauthorized(error)) throw error;
      const message = 'rejected a new token';
      throw new ProviderError('reloadly', { kind: 'unavailable', message, status: 401 });
    }
  }
}

const isUnauthorized = (error: unknown): boolean => error instanceof ProviderError && error.status === 401;

const headersOf = (api: ReloadlyApi, token: string, version: 1 | 2) => ({
  authorization: `Bearer ${token}`,
  accept: `application/com.reloadly.${api}-v${version}+json`,
});
