import { randomUUID, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { outcomeOf, slowCardMs, type CardOutcome } from '../cards/magic-amounts';
import { standardHeaders, type HookHeaders, type SignedHook } from '../hooks/hook-signatures';
import { isHookUrl, ProviderHooks, type HookEndpoint } from '../hooks/provider-hooks';
import { hookSecrets } from '../hooks/sandbox-secrets';
import { Outage } from '../simulators/outage';
import type { ServiceSimulator, ServiceSimulatorParts } from '../simulators/service-simulator';
import { LithicCardsRepository, type LithicCard } from './lithic-cards.repository';
import { LithicRejection } from './lithic-rejection';
import { describeCard, readChange, readNewCard, readPage, uuidOf, type Fields } from './lithic.wire';

/** The API key that the simulator accepts. It is valid only in the sandbox. */
export const lithicSandboxKey = 'lithic-key-of-the-sandbox';

const rejections: Partial<Record<CardOutcome, [status: number, message: string]>> = {
  declined: [400, 'The card could not be created for this account'],
  outOfFunds: [400, 'Insufficient funds in the program account'],
  rateLimited: [429, 'Rate limit exceeded'],
  serverError: [500, 'Internal server error'],
};

/** Simulates Lithic cards with the API that the official SDK uses. */
export class LithicSimulator implements ServiceSimulator {
  readonly prefix = '/lithic';
  readonly outage = new Outage();
  readonly hooks: ProviderHooks;
  private readonly cards: LithicCardsRepository;

  constructor(private readonly parts: ServiceSimulatorParts) {
    this.cards = new LithicCardsRepository(parts.database);
    const { clock, hooksUrl } = parts;
    const configured = hooksUrl ? { url: `${hooksUrl}/lithic`, secret: hookSecrets.lithic } : undefined;
    this.hooks = new ProviderHooks({ clock, sign, configured });
  }

  stop(): Promise<void> {
    return this.hooks.sender.stop();
  }

  register(routes: FastifyInstance): void {
    routes.addHook('onRequest', async (request, reply) => {
      // Sends no response until the caller closes the connection.
      if (this.outage.mode === 'slow') return void reply.hijack();
      if (this.outage.mode === 'down') return reply.code(503).type('text/plain').send('Service Unavailable');
      if (!isKey(request.headers.authorization))
        throw new LithicRejection(401, 'Please provide a valid API key');
    });
    routes.setErrorHandler(async (error: Error & { statusCode?: number }, _request, reply) => {
      const isOurs = !(error instanceof LithicRejection) && (error.statusCode ?? 500) >= 500;
      if (isOurs) this.parts.onError(error);
      const status = error instanceof LithicRejection ? error.status : isOurs ? 500 : 400;
      if (error instanceof LithicRejection) reply.headers(error.headers);
      const message = isOurs ? 'Internal server error' : error.message;
      return reply.code(status).send({ message, debugging_request_id: randomUUID() });
    });
    routes.setNotFoundHandler(async () => {
      throw new LithicRejection(404, 'Not found');
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
    this.addSubscriptionRoutes(routes);
  }

  private addSubscriptionRoutes(routes: FastifyInstance): void {
    const base = '/v1/event_subscriptions';
    routes.post<{ Body: Fields | null }>(base, async ({ body }) =>
      describeSubscription(this.subscribe(body ?? {})),
    );
    routes.get(base, async () => ({ data: this.hooks.list().map(describeSubscription), has_more: false }));
    routes.get<{ Params: { token: string } }>(`${base}/:token`, async ({ params }) =>
      describeSubscription(this.subscriptionOf(params.token)),
    );
    routes.get<{ Params: { token: string } }>(`${base}/:token/secret`, async ({ params }) => ({
      secret: this.subscriptionOf(params.token).secret,
    }));
    routes.delete<{ Params: { token: string } }>(`${base}/:token`, async ({ params }, reply) => {
      this.hooks.remove(this.subscriptionOf(params.token).id);
      return reply.code(204).send();
    });
  }

  private subscribe({ url, event_types: types = null }: Fields): HookEndpoint {
    if (!isHookUrl(url)) throw new LithicRejection(400, 'url: must be a URL');
    if (types !== null && !Array.isArray(types))
      throw new LithicRejection(400, 'event_types: must be a list');
    const made = this.hooks.register(url, types?.map(String) ?? null);
    if (!made) throw new LithicRejection(400, 'Too many event subscriptions');
    return made;
  }

  private subscriptionOf(token: string): HookEndpoint {
    const found = this.hooks.find(uuidOf('event_subscription_token', token));
    if (!found) throw new LithicRejection(404, 'Could not find event subscription');
    return found;
  }

  private async create(
    request: FastifyRequest<{ Body: Fields | null }>,
    reply: FastifyReply,
  ): Promise<unknown> {
    const body = request.body ?? {};
    const wished = readNewCard(body);
    const outcome = outcomeOf(wished.spendLimit);
    const rejection = rejections[outcome];
    if (rejection)
      throw new LithicRejection(...rejection, outcome === 'rateLimited' ? { 'retry-after': '1' } : {});
    const key = request.headers['idempotency-key'];
    const wish = { ...wished, token: randomUUID(), createdAtMs: this.parts.clock.now() };
    const card = await this.cards.add(wish, typeof key === 'string' ? key : null, body);
    if (!card) throw new LithicRejection(400, 'Idempotency-Key was used for another request');
    // The same key returns the same card, with an event that was already sent.
    if (card.token === wish.token) this.sendCreatedEvent(card, outcome);
    if (outcome !== 'lostAnswer') return this.describe(card);
    reply.hijack();
    request.raw.socket.destroy();
    return reply;
  }

  private async change(card: LithicCard, body: Fields): Promise<object> {
    if (card.state === 'CLOSED' && body['state'] !== undefined && body['state'] !== 'CLOSED')
      throw new LithicRejection(400, 'A closed card cannot be opened again');
    const { state, memo, spendLimit: spend_limit, spendLimitDuration: spend_limit_duration } = card;
    const changed = { ...card, ...readChange({ state, memo, spend_limit, spend_limit_duration, ...body }) };
    await this.cards.change(changed);
    this.sendChangedEvent(changed, { state: card.state });
    return this.describe(changed);
  }

  private sendCreatedEvent(card: LithicCard, outcome: CardOutcome): void {
    const event_type = 'card.created';
    this.hooks.send(event_type, { event_type, card_token: card.token });
    if (outcome === 'slow')
      this.sendChangedEvent(card, { state: 'PENDING_FULFILLMENT' }, card.createdAtMs + slowCardMs);
  }

  private sendChangedEvent({ token, state }: LithicCard, previous: Fields, atMs?: number): void {
    const event_type = 'card.updated';
    this.hooks.send(event_type, { event_type, card_token: token, state, previous_fields: previous }, atMs);
  }

  private async cardOf(token: string): Promise<LithicCard> {
    const card = await this.cards.find(uuidOf('card_token', token));
    if (!card) throw new LithicRejection(404, 'Could not find card');
    return card;
  }

  private describe(card: LithicCard): object {
    return describeCard(card, this.parts.clock.now());
  }
}

const sign = (secret: string, hook: SignedHook): HookHeaders => standardHeaders('webhook', secret, hook);

const describeSubscription = ({ id, url, events }: HookEndpoint): object => ({
  token: id,
  url,
  event_types: events,
  description: '',
  disabled: false,
});

/** Whether the header contains the raw key, without a scheme. */
function isKey(given: string | undefined): boolean {
  const [one, other] = [Buffer.from(given ?? ''), Buffer.from(lithicSandboxKey)];
  return one.length === other.length && timingSafeEqual(one, other);
}
