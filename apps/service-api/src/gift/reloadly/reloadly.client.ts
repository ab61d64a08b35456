import type { Clock } from '@tollbridge/database';
import { ProviderClient, ProviderError } from '@tollbridge/http';
import { parse } from 'lossless-json';
import { ReloadlyTokens } from './reloadly.tokens';

export const reloadlyApis = ['giftcards', 'topups', 'utilities'] as const;
export type ReloadlyApi = (typeof reloadlyApis)[number];

export interface ReloadlyOptions {
  authUrl: string;
  urls: Readonly<Record<ReloadlyApi, string>>;
  /** The real address of a product, where something else stands in its place. */
  audiences: Readonly<Record<ReloadlyApi, string>>;
  clientId: string;
  clientSecret: string;
  readTimeoutMs: number;
  purchaseTimeoutMs: number;
}

export interface ReloadlyRead {
  path: string;
  query?: Readonly<Record<string, string | undefined>>;
  /** For codes of gift cards alone there is a second one. */
  version?: 1 | 2;
}

// The catalogue of a large country: some hundred products with instructions of a few kilobytes each.
const maxReplyBytes = 16 * 1024 * 1024;
// A purchase has to begin, and to be answered, while nobody else may look at it: a token must not use up that time.
const tokenTimeoutMs = 10_000;

/** Every number as it was written: amounts have any number of digits, and none may be lost. */
const parseJson = (text: string): unknown => parse(text);

/** Three products with a token and a circuit of their own each. */
export class ReloadlyClient {
  private readonly tokens: ReloadlyTokens;
  private readonly clients: Readonly<Record<ReloadlyApi, ProviderClient>>;

  constructor(
    private readonly options: ReloadlyOptions,
    clock: Clock,
  ) {
    const { authUrl, clientId, clientSecret, readTimeoutMs: timeoutMs, urls } = options;
    const ofTokens = { authUrl, clientId, clientSecret, timeoutMs: Math.min(timeoutMs, tokenTimeoutMs) };
    this.tokens = new ReloadlyTokens(ofTokens, clock);
    const client = (api: ReloadlyApi): ProviderClient =>
      new ProviderClient({
        ...{ provider: `reloadly ${api}`, baseUrl: urls[api], timeoutMs, parseJson, maxReplyBytes },
      });
    const [giftcards, topups, utilities] = [client('giftcards'), client('topups'), client('utilities')];
    this.clients = { giftcards, topups, utilities };
  }

  read(api: ReloadlyApi, { path, query, version = 1 }: ReloadlyRead): Promise<unknown> {
    const given = query === undefined ? {} : { query };
    return this.withToken(api, (token) =>
      this.clients[api].request({ method: 'GET', path, ...given, headers: headersOf(api, token, version) }),
    );
  }

  /** Asks once: only a token that was refused, with which nothing happened, is followed by a second attempt. */
  buy(api: ReloadlyApi, path: string, body: object): Promise<unknown> {
    const timeoutMs = this.options.purchaseTimeoutMs;
    const headers = (token: string) => headersOf(api, token, 1);
    return this.withToken(api, (token) =>
      this.clients[api].request({
        ...{ method: 'POST', path, body, headers: headers(token), changesSomething: true, timeoutMs },
      }),
    );
  }

  private async withToken(api: ReloadlyApi, ask: (token: string) => Promise<unknown>): Promise<unknown> {
    const audience = this.options.audiences[api];
    const token = await this.tokens.of(audience);
    try {
      return await ask(token);
    } catch (error) {
      if (!isUnauthorized(error)) throw error;
      this.tokens.refused(audience, token);
    }
    try {
      return await ask(await this.tokens.of(audience));
    } catch (error) {
      if (!isUnauthorized(error)) throw error;
      const message = 'does not take a token that it has just given';
      throw new ProviderError('reloadly', { kind: 'unavailable', message, status: 401 });
    }
  }
}

const isUnauthorized = (error: unknown): boolean => error instanceof ProviderError && error.status === 401;

const headersOf = (api: ReloadlyApi, token: string, version: 1 | 2) => ({
  authorization: `Bearer ${token}`,
  accept: `application/com.reloadly.${api}-v${version}+json`,
});
