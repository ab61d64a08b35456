import type { Clock } from '@tollbridge/database';
import { randomBytes } from 'node:crypto';
import { Refusal } from './refusal';

export type Api = 'giftcards' | 'topups' | 'utilities';

/** Known to everybody: worthless outside of this sandbox. */
export const sandboxClient = { id: 'sandbox-client-id', secret: 'sandbox-client-secret' } as const;
const lifeSeconds = 3_600;
// One an hour and product is what a client needs.
const maxKept = 1_000;

const apis: readonly Api[] = ['giftcards', 'topups', 'utilities'];
/** The real address of a product, whatever stands in its place here. */
export const audienceOf = (api: Api): string => `https://${api}-sandbox.reloadly.com`;

/** The provider's tokens: each is for one of its products. Gone after a restart, as an expired one is. */
export class Tokens {
  private readonly kept = new Map<string, { api: Api; expiresAtMs: number }>();

  constructor(private readonly clock: Clock) {}

  issue(body: unknown) {
    const { client_id, client_secret, grant_type, audience } = (body ?? {}) as Record<string, unknown>;
    if (client_id !== sandboxClient.id || client_secret !== sandboxClient.secret)
      throw new Refusal(401, 'INVALID_CREDENTIALS', 'Access Denied');
    if (grant_type !== 'client_credentials')
      throw new Refusal(400, 'INVALID_GRANT_TYPE', 'The grant type is not supported');
    const api = apis.find((one) => audience === audienceOf(one));
    if (!api) throw new Refusal(400, 'INVALID_AUDIENCE', 'The audience is not known');
    if (this.kept.size >= maxKept) this.kept.clear();
    const access_token = randomBytes(32).toString('base64url');
    this.kept.set(access_token, { api, expiresAtMs: this.clock.now() + lifeSeconds * 1_000 });
    return { access_token, scope: 'developer', expires_in: lifeSeconds, token_type: 'Bearer' };
  }

  /** @throws Refusal for a header without a token of this product that is still good */
  check(header: string | undefined, api: Api): void {
    const [, token] = /^Bearer (.+)$/.exec(header ?? '') ?? [];
    if (token === undefined) throw new Refusal(401, 'MISSING_TOKEN', 'Full authentication is required');
    const known = this.kept.get(token);
    if (!known || known.api !== api) throw new Refusal(401, 'INVALID_TOKEN', 'The token is not valid');
    if (this.clock.now() >= known.expiresAtMs)
      throw new Refusal(401, 'TOKEN_EXPIRED', 'The token provided in the request has expired');
  }

  /** As if all had expired. */
  forget(): void {
    this.kept.clear();
  }
}
