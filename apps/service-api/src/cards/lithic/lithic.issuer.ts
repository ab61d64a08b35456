import { ProviderClient, ProviderError } from '@tollbridge/http';
import type { CardNumbers } from '../card';
import type { CardIssuer, CardWish, IssuedCard } from '../card-issuer';
import { readOr, refusalBy } from '../issuer-failures';
import { isOutOfFunds, readCard, readCards, readNumbers } from './lithic.wire';

export interface LithicOptions {
  url: string;
  apiKey: string;
  timeoutMs?: number;
  /** For the making of a card. */
  orderTimeoutMs?: number;
}

// Whoever asks to see a card waits for 25 s, and for 90 s for a new one.
const [defaultTimeoutMs, defaultOrderTimeoutMs] = [15_000, 60_000];
// Clocks differ, and its list is by time.
const clockSkewMs = 60_000;

/** Cards of Lithic: virtual, with a limit for all that they ever spend. */
export class LithicIssuer implements CardIssuer {
  readonly name = 'lithic';
  // It makes a card within a second; a request that is on its way may still arrive.
  readonly settleMs = 60_000;
  private readonly client: ProviderClient;
  private readonly orderTimeoutMs: number;

  constructor(options: LithicOptions) {
    const { url, apiKey, timeoutMs = defaultTimeoutMs } = options;
    this.orderTimeoutMs = options.orderTimeoutMs ?? defaultOrderTimeoutMs;
    // The key as it is, without a scheme.
    this.client = new ProviderClient({
      provider: 'lithic',
      baseUrl: url,
      headers: { authorization: apiKey },
      timeoutMs,
    });
  }

  async issue({ amountCents, reference }: CardWish): Promise<IssuedCard> {
    const reply = await this.client
      .request({
        method: 'POST',
        path: '/v1/cards',
        changesSomething: true,
        // Should the request be doubled on its way, one card is made.
        headers: { 'idempotency-key': reference },
        body: {
          type: 'VIRTUAL',
          state: 'OPEN',
          memo: reference,
          spend_limit: amountCents,
          spend_limit_duration: 'FOREVER',
        },
        timeoutMs: this.orderTimeoutMs,
      })
      .catch((error: unknown) => {
        throw refusalOf(error);
      });
    return readOr('lithic', 'unknownOutcome', () => readCard(reply));
  }

  async candidates({ reference }: CardWish, askedAtMs: number): Promise<IssuedCard[]> {
    const begin = new Date(askedAtMs - clockSkewMs).toISOString();
    const query = { begin, memo: reference, page_size: '50' };
    const reply = await this.client.request({ method: 'GET', path: '/v1/cards', query });
    return readOr('lithic', 'badReply', () => readCards(reply, reference));
  }

  async read(issuerCardId: string): Promise<IssuedCard> {
    const reply = await this.card(issuerCardId);
    return readOr('lithic', 'badReply', () => readCard(reply));
  }

  async reveal(issuerCardId: string): Promise<{ card: IssuedCard; numbers: CardNumbers | null }> {
    const reply = await this.card(issuerCardId);
    return readOr('lithic', 'badReply', () => {
      const card = readCard(reply);
      return { card, numbers: card.state === 'pending' ? null : readNumbers(reply) };
    });
  }

  private card(issuerCardId: string): Promise<unknown> {
    return this.client.request({ method: 'GET', path: `/v1/cards/${encodeURIComponent(issuerCardId)}` });
  }
}

/** What it means when no card was made, for certain or perhaps. */
function refusalOf(error: unknown): unknown {
  if (!(error instanceof ProviderError) || error.kind !== 'rejected') return error;
  const { status, body } = error;
  if (status === 409) {
    // The same request is being served, or was: it is looked up.
    const message = 'answered that it has this request already';
    return new ProviderError('lithic', { kind: 'unknownOutcome', message, cause: error });
  }
  return refusalBy(error, isOutOfFunds(body) ? 'ISSUER_OUT_OF_FUNDS' : 'DECLINED');
}
