import { randomBytes } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { outcomeOf, slowCardMs } from '../cards/magic-amounts';
import { testBins, testCardNumber } from '../cards/test-number';
import { Outage } from '../simulators/outage';
import type { ServiceSimulator, ServiceSimulatorParts } from '../simulators/service-simulator';
import { LasoTokens } from './laso-tokens';
import { LasoRepository, type LasoCard } from './laso.repository';
import { paymentRequired, paymentResponse, readPayment, type Payment } from './x402';

type Fields = Readonly<Record<string, unknown>>;
type Request = FastifyRequest<{ Querystring: Fields }>;

const [minCents, maxCents] = [500, 100_000];
const atomicPerCent = 10_000n;
const signInAtomic = 1_000n;
// The issuer states seven to ten seconds.
export const readyAfterMs = 8_000;
// The version of the issuer's documents, which this header contains.
const docsVersion = '2026-11-01';
const validYears = 3;

/** Simulates Laso Finance: each card is paid with x402. */
export class LasoSimulator implements ServiceSimulator {
  readonly prefix = '/laso';
  readonly outage = new Outage();
  private readonly tokens = new LasoTokens();
  private readonly store: LasoRepository;

  constructor(private readonly parts: ServiceSimulatorParts) {
    this.store = new LasoRepository(parts.database);
  }

  register(routes: FastifyInstance): void {
    routes.addHook('onRequest', async (_request, reply) => {
      reply.header('x-laso-docs-version', docsVersion);
      // Sends no response until the caller closes the connection.
      if (this.outage.mode === 'slow') return void reply.hijack();
      if (this.outage.mode === 'down') return reply.code(503).type('text/plain').send('Service Unavailable');
    });
    routes.setErrorHandler(async (error: Error & { statusCode?: number }, _request, reply) => {
      const isOurs = (error.statusCode ?? 500) >= 500;
      if (isOurs) this.parts.onError(error);
      return reply.code(isOurs ? 500 : 400).send({ error: isOurs ? 'Internal server error' : error.message });
    });
    routes.setNotFoundHandler(async (_request, reply) => reply.code(404).send({ error: 'Not found' }));
    routes.get<{ Querystring: Fields }>('/auth', (request, reply) => this.signIn(request, reply));
    routes.post<{ Body: Fields | null }>('/auth', ({ body }, reply) => this.refresh(body ?? {}, reply));
    routes.get<{ Querystring: Fields }>('/get-card', (request, reply) => this.getCard(request, reply));
    routes.get<{ Querystring: Fields }>('/get-card-data', (request, reply) => this.cardData(request, reply));
  }

  private async signIn(request: Request, reply: FastifyReply): Promise<unknown> {
    const payment = this.paymentOf(request, signInAtomic);
    if (typeof payment === 'string') return this.askFor(request, reply, signInAtomic, payment);
    if (!(await this.store.pay(payment, this.now())))
      return this.askFor(request, reply, signInAtomic, 'invalid_transaction_state');
    reply.header('payment-response', paymentResponse(payment));
    const userId = userOf(payment);
    return { auth: this.tokens.issue(userId, this.now()), user_id: userId };
  }

  private async refresh(
    { grant_type: type, refresh_token: token }: Fields,
    reply: FastifyReply,
  ): Promise<unknown> {
    const known = type === 'refresh_token' && typeof token === 'string';
    const userId = known ? this.tokens.userOf(token, 'refresh', this.now()) : undefined;
    if (userId === undefined) return reply.code(401).send({ error: 'Invalid refresh token' });
    return { auth: this.tokens.issue(userId, this.now()), user_id: userId };
  }

  private async getCard(request: Request, reply: FastifyReply): Promise<unknown> {
    const amountCents = centsOf(request.query['amount']);
    if (amountCents === undefined)
      return reply.code(400).send({ error: 'amount must be between 5 and 1000 USD' });
    const price = BigInt(amountCents) * atomicPerCent;
    const payment = this.paymentOf(request, price);
    if (typeof payment === 'string') return this.askFor(request, reply, price, payment);
    const outcome = outcomeOf(amountCents);
    if (outcome === 'outOfFunds') return this.askFor(request, reply, price, 'insufficient_funds');
    if (outcome === 'declined') return reply.code(400).send({ error: 'The card could not be ordered' });
    if (outcome === 'rateLimited')
      return reply.code(429).header('retry-after', '1').send({ error: 'Too many requests' });
    if (outcome === 'serverError') return reply.code(500).send({ error: 'Internal server error' });
    const cardId = randomBytes(10).toString('hex');
    const card = { cardId, userId: userOf(payment), amountCents, createdAtMs: this.now() };
    if (!(await this.store.pay(payment, this.now(), card)))
      return this.askFor(request, reply, price, 'invalid_transaction_state');
    if (outcome === 'lostAnswer') {
      reply.hijack();
      request.raw.socket.destroy();
      return reply;
    }
    reply.header('payment-response', paymentResponse(payment));
    const { userId } = card;
    return {
      auth: this.tokens.issue(userId, this.now()),
      callable_base_url: `${this.parts.publicUrl()}${this.prefix}`,
      user_id: userId,
      card: { ...describeOrder(card), status: 'pending' },
    };
  }

  private async cardData(request: Request, reply: FastifyReply): Promise<unknown> {
    const [, token = ''] = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '') ?? [];
    const userId = this.tokens.userOf(token, 'id', this.now());
    if (userId === undefined) return reply.code(401).send({ error: 'Unauthorized' });
    const cardId = request.query['card_id'];
    if (cardId === undefined)
      return { cards: (await this.store.list(userId)).map((card) => this.describe(card)) };
    const card = await this.store.find(userId, String(cardId));
    return card ? this.describe(card) : reply.code(404).send({ error: 'Card not found' });
  }

  /** Returns the payment, or the reason of its rejection; the reason is empty without a payment. */
  private paymentOf({ headers }: Request, amountAtomic: bigint): Payment | string {
    const given = headers['payment-signature'];
    return typeof given === 'string' ? readPayment(given, amountAtomic, this.now()) : '';
  }

  private askFor(request: Request, reply: FastifyReply, amountAtomic: bigint, reason: string): FastifyReply {
    const url = `${this.parts.publicUrl()}${request.url}`;
    const required = paymentRequired(url, amountAtomic, reason === '' ? undefined : reason);
    return reply.code(402).header('payment-required', required).send({});
  }

  private describe(card: LasoCard): object {
    const ageMs = this.now() - card.createdAtMs;
    const isSlow = outcomeOf(card.amountCents) === 'slow';
    const order = describeOrder(card);
    if (isSlow && ageMs >= readyAfterMs && ageMs < slowCardMs)
      return { ...order, status: 'details_approval' };
    if (ageMs < readyAfterMs) return { ...order, status: 'pending' };
    return {
      ...order,
      status: 'ready',
      last_updated_timestamp: card.createdAtMs + readyAfterMs,
      ...detailsOf(card),
    };
  }

  private now(): number {
    return this.parts.clock.now();
  }
}

const userOf = ({ payer }: Payment): string => payer.toLowerCase();

function centsOf(amount: unknown): number | undefined {
  if (typeof amount !== 'string' || !/^\d{1,4}(\.\d{1,2})?$/.test(amount)) return undefined;
  const [whole = '', fraction = ''] = amount.split('.');
  const cents = Number(whole + fraction.padEnd(2, '0'));
  return cents >= minCents && cents <= maxCents ? cents : undefined;
}

function describeOrder({ cardId, amountCents, createdAtMs }: LasoCard): object {
  return {
    card_id: cardId,
    usd_amount: amountCents / 100,
    country: 'US',
    card_type: 'Non-Reloadable U.S.',
    timestamp: createdAtMs,
    timestamp_readable: new Date(createdAtMs).toISOString(),
  };
}

function detailsOf({ cardId, amountCents, createdAtMs }: LasoCard): object {
  const { number: card_number, cvv } = testCardNumber(testBins.laso, cardId);
  const created = new Date(createdAtMs);
  return {
    card_details: {
      card_number,
      cvv,
      exp_month: String(created.getUTCMonth() + 1).padStart(2, '0'),
      exp_year: String(created.getUTCFullYear() + validYears),
      available_balance: amountCents / 100,
      billing_address: {
        name: 'Test Holder',
        line_1: '1 Test Street',
        line_2: '',
        city: 'New York',
        state: 'NY',
        zip: '10001',
        country: 'US',
        required: false,
        note: '',
      },
    },
    transactions: [],
  };
}
