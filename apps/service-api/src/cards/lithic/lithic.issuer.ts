import { ProviderClient, ProviderError } from '@tollbridge/http';
import type { CardNumbers } from '../card';
import type { CardIssuer, CardWish, IssuedCard } from '../card-issuer';
import { readOr, rejectionOf } from '../issuer-failures';
import { isOutOfFunds, readCard, readCards, readNumbers } from './lithic.wire';

export interface LithicOptions {
  url: string;
  apiKey: string;
  timeoutMs?: number;
  /** Time-out of a card order, which takes longer than a read. */
  orderTimeoutMs?: number;
}

// The gateway waits 25 s for a read, and 90 s for an order.
const [defaultTimeoutMs, defaultOrderTimeoutMs] = [15_000, 60_000];
// Clocks differ, and the list is filtered by time.
const clockSkewMs = 60_000;

/** Virtual cards of Lithic, with a total spend limit. */
export class LithicIssuer implements CardIssuer {
  readonly name = 'lithic';
  // Lithic issues within a second; a request in flight may still arrive.
  readonly settleMs = 60_000;
  private readonly client: ProviderClient;
  private readonly orderTimeoutMs: number;

  constructor(options: LithicOptions) {
    const { url, apiKey, timeoutMs = defaultTimeoutMs } = options;
    this.orderTimeoutMs = options.orderTimeoutMs ?? defaultOrderTimeoutMs;
    // Lithic expects the bare API key, without `Bearer`.
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
        // Lithic issues one card if the request arrives twice.
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
        throw convertFailure(error);
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

/** Converts the failure of an order: `unknownOutcome` if a card may exist, otherwise the reason of the rejection. */
function convertFailure(error: unknown): unknown {
  if (!(error instanceof ProviderError) || error.kind !== 'rejected') return error;
  const { status, body } = error;
  if (status === 409) {
    // An equal request is in progress or finished, so a card may exist: `candidates` finds it.
    const message = 'reported a duplicate request';
    return new ProviderError('lithic', { kind: 'unknownOutcome', message, cause: error });
  }
  return rejectionOf(error, isOutOfFunds(body) ? 'ISSUER_OUT_OF_FUNDS' : 'DECLINED');
}
