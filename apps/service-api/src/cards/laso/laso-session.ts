import { ProviderError, type ProviderClient } from '@tollbridge/http';
import { hexlify, randomBytes } from 'ethers';
import { readOr } from '../issuer-failures';
import { readSession, type Session } from './laso.wire';
import type { LasoPayments } from './laso-payments';

// A sign-in costs a tenth of a cent.
const signInAtomic = 1_000n;
// A token must not expire during a request.
const renewedBeforeMs = 60_000;

/**
 * Provides the token for reading cards. Each order returns a token. An expired token is refreshed, or replaced by a
 * paid sign-in.
 */
export class LasoSession {
  private session: (Session & { endsAtMs: number }) | undefined;
  private renewal: Promise<string> | undefined;

  constructor(
    private readonly client: ProviderClient,
    private readonly payments: LasoPayments,
    private readonly now: () => number,
    private readonly timeoutMs: number,
  ) {}

  store(session: Session): void {
    this.session = { ...session, endsAtMs: this.now() + session.lifeMs };
  }

  /** @param rejected a token that the issuer rejected, which is replaced */
  async token(rejected?: string): Promise<string> {
    const { session } = this;
    const isValid =
      session && session.idToken !== rejected && session.endsAtMs - renewedBeforeMs > this.now();
    if (isValid) return session.idToken;
    // One renewal for all callers: a sign-in costs money.
    this.renewal ??= this.renew().finally(() => (this.renewal = undefined));
    return this.renewal;
  }

  private async renew(): Promise<string> {
    const reply = (await this.refreshed()) ?? (await this.signIn());
    const session = readOr('laso', 'badReply', () => readSession(reply));
    this.store(session);
    return session.idToken;
  }

  private async refreshed(): Promise<unknown> {
    if (!this.session) return undefined;
    const body = { grant_type: 'refresh_token', refresh_token: this.session.refreshToken };
    try {
      return await this.client.request({ method: 'POST', path: '/auth', body });
    } catch (error) {
      if (error instanceof ProviderError && error.kind === 'rejected') return undefined;
      throw error;
    }
  }

  private signIn(): Promise<unknown> {
    const nonce = hexlify(randomBytes(32));
    const { timeoutMs } = this;
    return this.payments.buy({ path: '/auth', amountAtomic: signInAtomic, nonce, timeoutMs });
  }
}
