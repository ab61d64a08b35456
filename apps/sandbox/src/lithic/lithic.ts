import { randomUUID, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { outcomeOf, type CardOutcome } from '../cards/magic-amounts';
import { Outage } from '../simulators/outage';
import type { ServiceSimulator, ServiceSimulatorParts } from '../simulators/service-simulators';
import { LithicCardsRepository, type LithicCard } from './lithic-cards.repository';
import { LithicRefusal } from './lithic-refusal';
import { describeCard, readChange, readNewCard, readPage, uuidOf, type Fields } from './lithic.wire';

/** The key that is taken. It opens nothing outside of the sandbox. */
export const lithicSandboxKey = 'lithic-key-of-the-sandbox';

const refusals: Partial<Record<CardOutcome, [status: number, message: string]>> = {
  declined: [400, 'The card could not be created for this account'],
  outOfFunds: [400, 'Insufficient funds in the program account'],
  rateLimited: [429, 'Rate limit exceeded'],
  serverError: [500, 'Internal server error'],
};

/** Lithic: cards, as its official SDK asks for them. */
export class LithicSimulator implements ServiceSimulator {
  readonly prefix = '/lithic';
  readonly outage = new Outage();
  private readonly cards: LithicCardsRepository;

  constructor(private readonly parts: ServiceSimulatorParts) {
    this.cards = new LithicCardsRepository(parts.database);
  }

  register(routes: FastifyInstance): void {
    routes.addHook('onRequest', async (request, reply) => {
      // Left without an answer, until the caller hangs up.
      if (this.outage.mode === 'slow') return void reply.hijack();
      if (this.outage.mode === 'down') return reply.code(503).type('text/plain').send('Service Unavailable');
      if (!isKey(request.headers.authorization))
        throw new LithicRefusal(401, 'Please provide a valid API key');
    });
    routes.setErrorHandler(async (error: Error & { statusCode?: number }, _request, reply) => {
      const isOurs = !(error instanceof LithicRefusal) && (error.statusCode ?? 500) >= 500;
      if (isOurs) this.parts.onError(error);
      const status = error instanceof LithicRefusal ? error.status : isOurs ? 500 : 400;
      if (error instanceof LithicRefusal) reply.headers(error.headers);
      const message = isOurs ? 'Internal server error' : error.message;
      return reply.code(status).send({ message, debugging_request_id: randomUUID() });
    });
    routes.setNotFoundHandler(async () => {
      throw new LithicRefusal(404, 'Not found');
    });
    routes.get('/v1/status', () => ({ message: 'OK' }));
    routes.post<{ Body: Fields | null }>('/v1/cards', (request, reply) => this.create(request, reply));
    routes.get<{ Querystring: Fields }>('/v1/cards', async ({ query }) => {
      const page = readPage(query);
      const found = await this.cards.list(page);
      const data = found.slice(0, page.limit).map((card) => this.describe(card));
      return { data, has_more: found.length > page.limit };
    });
    routes.get<{ Params: { token: string } }>('/v1/cards/:token', async ({ params }) =>
      this.describe(await this.cardOf(params.token)),
    );
    routes.patch<{ Params: { token: string }; Body: Fields | null }>(
      '/v1/cards/:token',
      async ({ params, body }) => this.change(await this.cardOf(params.token), body ?? {}),
    );
  }

  private async create(
    request: FastifyRequest<{ Body: Fields | null }>,
    reply: FastifyReply,
  ): Promise<unknown> {
    const body = request.body ?? {};
    const wished = readNewCard(body);
    const outcome = outcomeOf(wished.spendLimit);
    const refusal = refusals[outcome];
    if (refusal) throw new LithicRefusal(...refusal, outcome === 'rateLimited' ? { 'retry-after': '1' } : {});
    const key = request.headers['idempotency-key'];
    const wish = { ...wished, token: randomUUID(), createdAtMs: this.parts.clock.now() };
    const card = await this.cards.add(wish, typeof key === 'string' ? key : null, body);
    if (!card) throw new LithicRefusal(400, 'Idempotency-Key was used for another request');
    if (outcome !== 'lostAnswer') return this.describe(card);
    reply.hijack();
    request.raw.socket.destroy();
    return reply;
  }

  private async change(card: LithicCard, body: Fields): Promise<object> {
    if (card.state === 'CLOSED' && body['state'] !== undefined && body['state'] !== 'CLOSED')
      throw new LithicRefusal(400, 'A closed card cannot be opened again');
    const { state, memo, spendLimit: spend_limit, spendLimitDuration: spend_limit_duration } = card;
    const changed = { ...card, ...readChange({ state, memo, spend_limit, spend_limit_duration, ...body }) };
    await this.cards.change(changed);
    return this.describe(changed);
  }

  private async cardOf(token: string): Promise<LithicCard> {
    const card = await this.cards.find(uuidOf('card_token', token));
    if (!card) throw new LithicRefusal(404, 'Could not find card');
    return card;
  }

  private describe(card: LithicCard): object {
    return describeCard(card, this.parts.clock.now());
  }
}

/** As it is, without a scheme. */
function isKey(given: string | undefined): boolean {
  const [one, other] = [Buffer.from(given ?? ''), Buffer.from(lithicSandboxKey)];
  return one.length === other.length && timingSafeEqual(one, other);
}
