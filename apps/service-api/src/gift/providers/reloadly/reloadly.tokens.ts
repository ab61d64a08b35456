import type { Clock } from '@tollbridge/database';
import { ProviderClient, ProviderError } from '@tollbridge/http';

interface Token {
  text: string;
  refreshAtMs: number;
}

export interface TokenOptions {
  authUrl: string;
  clientId: string;
  clientSecret: string;
  timeoutMs: number;
}

// A token must not expire while a purchase is in flight.
const marginMs = 120_000;
// Documented lifetimes are one hour, one day and sixty days. A much longer lifetime is an error.
const maxLifetimeSeconds = 366 * 24 * 60 * 60;

/** Caches one access token per product. Concurrent callers share one request; a token is renewed before it expires. */
export class ReloadlyTokens {
  private readonly client: ProviderClient;
  private readonly tokens = new Map<string, Token>();
  private readonly requests = new Map<string, Promise<Token>>();

  constructor(
    private readonly options: TokenOptions,
    private readonly clock: Clock,
  ) {
    const { authUrl: baseUrl, timeoutMs } = options;
    this.client = new ProviderClient({ provider: 'reloadly', baseUrl, timeoutMs });
  }

  /** @throws ProviderError when no token was issued: nothing was sent to the product */
  async of(audience: string): Promise<string> {
    const token = this.tokens.get(audience);
    if (token && this.clock.now() < token.refreshAtMs) return token.text;
    const request = this.requests.get(audience) ?? this.request(audience);
    this.requests.set(audience, request);
    return (await request).text;
  }

  /** Removes a rejected token from the cache, unless a newer token has replaced it. */
  invalidate(audience: string, text: string): void {
    if (this.tokens.get(audience)?.text === text) this.tokens.delete(audience);
  }

  private async request(audience: string): Promise<Token> {
    const { clientId: client_id, clientSecret: client_secret } = this.options;
    try {
      const body = { client_id, client_secret, grant_type: 'client_credentials', audience };
      const token = readToken(
        await this.client.request({ method: 'POST', path: '/oauth/token', body }),
        this.clock,
      );
      this.tokens.set(audience, token);
      return token;
    } catch (error) {
      if (!(error instanceof ProviderError) || error.kind !== 'rejected') throw error;
      // The cause is a wrong setting of this deployment, not the client's request.
      throw unavailable('rejected our credentials', error.status);
    } finally {
      this.requests.delete(audience);
    }
  }
}

function readToken(reply: unknown, clock: Clock): Token {
  const { access_token: text, expires_in: lifetimeSeconds } = (reply ?? {}) as Record<string, unknown>;
  const isToken = typeof text === 'string' && /^[\x21-\x7e]{1,8192}$/.test(text);
  const isLifetime =
    typeof lifetimeSeconds === 'number' && lifetimeSeconds > 0 && lifetimeSeconds <= maxLifetimeSeconds;
  if (!isToken || !isLifetime) throw unavailable('issued no valid token');
  const lifetimeMs = lifetimeSeconds * 1_000;
  // A short-lived token is used for at least half of its lifetime.
  return { text, refreshAtMs: clock.now() + Math.max(lifetimeMs - marginMs, lifetimeMs / 2) };
}

const unavailable = (message: string, status?: number): ProviderError =>
  new ProviderError('reloadly', { kind: 'unavailable', message, ...(status !== undefined && { status }) });
