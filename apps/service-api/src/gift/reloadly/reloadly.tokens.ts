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

// A token that ends while a purchase is under way would be a refusal for nothing.
const marginMs = 120_000;
// A life that nobody believes, of an hour or a day or sixty days.
const longestLifeSeconds = 366 * 24 * 60 * 60;

/** One token for each product of the provider: asked for once at a time, and again before it ends. */
export class ReloadlyTokens {
  private readonly client: ProviderClient;
  private readonly known = new Map<string, Token>();
  private readonly asking = new Map<string, Promise<Token>>();

  constructor(
    private readonly options: TokenOptions,
    private readonly clock: Clock,
  ) {
    const { authUrl: baseUrl, timeoutMs } = options;
    this.client = new ProviderClient({ provider: 'reloadly', baseUrl, timeoutMs });
  }

  /** @throws ProviderError: without a token nothing was asked of the product */
  async of(audience: string): Promise<string> {
    const token = this.known.get(audience);
    if (token && this.clock.now() < token.refreshAtMs) return token.text;
    const asking = this.asking.get(audience) ?? this.ask(audience);
    this.asking.set(audience, asking);
    return (await asking).text;
  }

  /** It was refused. A newer one, which somebody else has got meanwhile, stays. */
  refused(audience: string, text: string): void {
    if (this.known.get(audience)?.text === text) this.known.delete(audience);
  }

  private async ask(audience: string): Promise<Token> {
    const { clientId: client_id, clientSecret: client_secret } = this.options;
    try {
      const body = { client_id, client_secret, grant_type: 'client_credentials', audience };
      const token = readToken(
        await this.client.request({ method: 'POST', path: '/oauth/token', body }),
        this.clock,
      );
      this.known.set(audience, token);
      return token;
    } catch (error) {
      if (!(error instanceof ProviderError) || error.kind !== 'rejected') throw error;
      // Ours to mend: the buyer asked for nothing wrong.
      throw unavailable('does not take our credentials', error.status);
    } finally {
      this.asking.delete(audience);
    }
  }
}

function readToken(reply: unknown, clock: Clock): Token {
  const { access_token: text, expires_in: lifeSeconds } = (reply ?? {}) as Record<string, unknown>;
  const isToken = typeof text === 'string' && /^[\x21-\x7e]{1,8192}$/.test(text);
  const isLife = typeof lifeSeconds === 'number' && lifeSeconds > 0 && lifeSeconds <= longestLifeSeconds;
  if (!isToken || !isLife) throw unavailable('gave no token');
  const lifeMs = lifeSeconds * 1_000;
  // Short lives too are used for their greater part.
  return { text, refreshAtMs: clock.now() + Math.max(lifeMs - marginMs, lifeMs / 2) };
}

const unavailable = (message: string, status?: number): ProviderError =>
  new ProviderError('reloadly', { kind: 'unavailable', message, ...(status !== undefined && { status }) });
