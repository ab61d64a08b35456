import { ProviderError, type ProviderClient } from '@tollbridge/http';
import { hexlify, randomBytes } from 'ethers';
import { readOr } from '../issuer-failures';
import { readSession, type Session } from './laso.wire';
import type { LasoPayments } from './laso-payments';

// A tenth of a cent: what a sign-in costs.
const signInAtomic = 1_000n;
// A token that ends on its way is none.
const renewedBeforeMs = 60_000;

/** The token with which cards are read. It comes with every card; else it is renewed, or paid for. */
export class LasoSession {
  private session: (Session & { endsAtMs: number }) | undefined;
  private renewal: Promise<string> | undefined;

  constructor(
    private readonly client: ProviderClient,
    private readonly payments: LasoPayments,
    private readonly now: () => number,
    private readonly timeoutMs: number,
  ) {}

  keep(session: Session): void {
    this.session = { ...session, endsAtMs: this.now() + session.lifeMs };
  }

  /** @param refused a token that was not taken: another is got then */
  async token(refused?: string): Promise<string> {
    const { session } = this;
    const isGood = session && session.idToken !== refused && session.endsAtMs - renewedBeforeMs > this.now();
    if (isGood) return session.idToken;
    // One for all who wait: each costs money.
    this.renewal ??= this.renew().finally(() => (this.renewal = undefined));
    return this.renewal;
  }

  private async renew(): Promise<string> {
    const reply = (await this.refreshed()) ?? (await this.signIn());
    const session = readOr('laso', 'badReply', () => readSession(reply));
    this.keep(session);
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
