import { ProviderClient, ProviderError, UnreadableReply } from '@tollbridge/http';
import { Wallet } from 'ethers';
import { dollarsOf, type CardNumbers } from '../card';
import type { CardIssuer, CardWish, IssuedCard } from '../card-issuer';
import { readOr } from '../issuer-failures';
import { LasoPayments } from './laso-payments';
import { LasoSession } from './laso-session';
import { readCandidates, readCard, readNumbers, readOrdered, readSession } from './laso.wire';
import { atomicOf, nonceOf } from './payment';

export interface LasoOptions {
  url: string;
  /** Private key of the paying wallet, which is the account at the issuer. */
  walletKey: string;
  timeoutMs?: number;
  /** Time-out of a paid order. */
  orderTimeoutMs?: number;
  now: () => number;
}

// A reveal needs up to four requests: renew, price, pay, read. The gateway waits 25 s for it, and 90 s for an order.
const [defaultTimeoutMs, defaultOrderTimeoutMs] = [5_000, 60_000];
const clockSkewMs = 60_000;
const dataPath = '/get-card-data';

/**
 * Cards of Laso Finance, each paid by x402. Laso stores no references. After a lost reply, the card is found in Laso's
 * list by amount and time, without the cards of other purchases.
 */
export class LasoIssuer implements CardIssuer {
  readonly name = 'laso';
  // Longer than a signed payment is valid: afterwards the payment cannot be settled.
  readonly settleMs = 180_000;
  private readonly client: ProviderClient;
  private readonly payments: LasoPayments;
  private readonly session: LasoSession;
  private readonly orderTimeoutMs: number;

  constructor(options: LasoOptions) {
    const { url, walletKey, timeoutMs = defaultTimeoutMs, now } = options;
    this.orderTimeoutMs = options.orderTimeoutMs ?? defaultOrderTimeoutMs;
    this.client = new ProviderClient({ provider: 'laso', baseUrl: url, timeoutMs });
    this.payments = new LasoPayments(this.client, new Wallet(walletKey), now);
    this.session = new LasoSession(this.client, this.payments, now, timeoutMs);
  }

  async issue({ amountCents, reference }: CardWish): Promise<IssuedCard> {
    const reply = await this.payments.buy({
      path: '/get-card',
      query: { amount: dollarsOf(amountCents), format: 'json' },
      amountAtomic: atomicOf(amountCents),
      nonce: nonceOf(reference),
      timeoutMs: this.orderTimeoutMs,
    });
    const card = readOr('laso', 'unknownOutcome', () => readOrdered(reply));
    this.storeSession(reply);
    return card;
  }

  async candidates({ amountCents }: CardWish, askedAtMs: number): Promise<IssuedCard[]> {
    const reply = await this.ask({});
    return readOr('laso', 'badReply', () => readCandidates(reply, amountCents, askedAtMs - clockSkewMs));
  }

  async read(issuerCardId: string): Promise<IssuedCard> {
    const reply = await this.ask({ card_id: issuerCardId });
    return readOr('laso', 'badReply', () => readCard(reply));
  }

  async reveal(issuerCardId: string): Promise<{ card: IssuedCard; numbers: CardNumbers | null }> {
    const reply = await this.ask({ card_id: issuerCardId });
    return readOr('laso', 'badReply', () => {
      const card = readCard(reply);
      return { card, numbers: card.state === 'open' ? readNumbers(reply) : null };
    });
  }

  /** Ignores an unreadable session, because the card of the same reply exists anyway. */
  private storeSession(reply: unknown): void {
    try {
      this.session.store(readSession(reply));
    } catch (error) {
      if (!(error instanceof UnreadableReply)) throw error;
    }
  }

  private async ask(query: Record<string, string>): Promise<unknown> {
    const token = await this.session.token();
    try {
      return await this.get(query, token);
    } catch (error) {
      if (!(error instanceof ProviderError) || error.status !== 401) throw error;
      return this.get(query, await this.session.token(token));
    }
  }

  private get(query: Record<string, string>, token: string): Promise<unknown> {
    const headers = { authorization: `Bearer ${token}` };
    return this.client.request({ method: 'GET', path: dataPath, query, headers });
  }
}
