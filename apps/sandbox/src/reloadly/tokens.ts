import type { Clock } from '@tollbridge/database';
import { randomBytes } from 'node:crypto';
import { Rejection } from './rejection';

export type Api = 'giftcards' | 'topups' | 'utilities';

/** These credentials are public, and valid only in the sandbox. */
export const sandboxClient = { id: 'sandbox-client-id', secret: 'sandbox-client-secret' } as const;
const lifeSeconds = 3_600;
// A client needs one token per hour and product.
const maxTokens = 1_000;

const apis: readonly Api[] = ['giftcards', 'topups', 'utilities'];
/** Returns the real base URL of a product, wherever the simulator runs. */
export const audienceOf = (api: Api): string => `https://${api}-sandbox.reloadly.com`;

/** Access tokens, each for one product. A restart discards all tokens. */
export class Tokens {
  private readonly issued = new Map<string, { api: Api; expiresAtMs: number }>();

  constructor(private readonly clock: Clock) {}

  issue(body: unknown) {
    const { client_id, client_secret, grant_type, audience } = (body ?? {}) as Record<string, unknown>;
    if (client_id !== sandboxClient.id || client_secret !== sandboxClient.secret)
      throw new Rejection(401, 'INVALID_CREDENTIALS', 'Access Denied');
    if (grant_type !== 'client_credentials')
      throw new Rejection(400, 'INVALID_GRANT_TYPE', 'The grant type is not supported');
    const api = apis.find((one) => audience === audienceOf(one));
    if (!api) throw new Rejection(400, 'INVALID_AUDIENCE', 'The audience is not known');
    if (this.issued.size >= maxTokens) this.issued.clear();
    const access_token = randomBytes(32).toString('base64url');
    this.issued.set(access_token, { api, expiresAtMs: this.clock.now() + lifeSeconds * 1_000 });
    return { access_token, scope: 'developer', expires_in: lifeSeconds, token_type: 'Bearer' };
  }

  /** @throws Rejection for a header without a valid token of this product */
  check(header: string | undefined, api: Api): void {
    const [, token] = /^Bearer (.+)$/.exec(header ?? '') ?? [];
    if (token === undefined) throw new Rejection(401, 'MISSING_TOKEN', 'Full authentication is required');
    const known = this.issued.get(token);
    if (!known || known.api !== api) throw new Rejection(401, 'INVALID_TOKEN', 'The token is not valid');
    if (this.clock.now() >= known.expiresAtMs)
      throw new Rejection(401, 'TOKEN_EXPIRED', 'The token provided in the request has expired');
  }

  /** Expires all tokens. */
  forget(): void {
    this.issued.clear();
  }
}
