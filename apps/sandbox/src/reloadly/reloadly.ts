import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { reloadlyHeaders } from '../hooks/hook-signatures';
import { ProviderHooks } from '../hooks/provider-hooks';
import { hookSecrets } from '../hooks/sandbox-secrets';
import { Outage } from '../simulators/outage';
import type { ServiceSimulator, ServiceSimulatorParts } from '../simulators/service-simulator';
import { Checkout } from './checkout';
import { registerGiftCards } from './giftcards.routes';
import { number } from './money';
import type { Parts } from './parts';
import { Rejection, rejectionBody, wireTime } from './rejection';
import { Tokens, type Api } from './tokens';
import { registerTopUps } from './topups.routes';
import { TransactionsRepository, type Transaction } from './transactions.repository';
import { registerUtilities } from './utilities.routes';

const apis: Readonly<Record<Api, (server: FastifyInstance, parts: Parts) => void>> = {
  giftcards: registerGiftCards,
  topups: registerTopUps,
  utilities: registerUtilities,
};

const hookTypes: Readonly<Record<Api, string>> = {
  giftcards: 'giftcard_transaction.status',
  topups: 'airtime_transaction.status',
  utilities: 'utility_transaction.status',
};

/** Simulates gift cards, airtime and bills, which are three products of one account, and the token server. */
export class Reloadly implements ServiceSimulator {
  readonly prefix = '/reloadly';
  readonly outage = new Outage();
  readonly tokens: Tokens;
  /** Number of requests by route, such as `POST /reloadly/topups/topups`, for tests. */
  readonly asked = new Map<string, number>();
  private readonly parts: Parts;

  readonly hooks: ProviderHooks;

  constructor({ database, clock, hooksUrl }: ServiceSimulatorParts) {
    const transactions = new TransactionsRepository(database);
    const checkout = new Checkout(transactions, clock, (made) => this.sendEvent(made));
    this.parts = { transactions, clock, checkout };
    this.tokens = new Tokens(clock);
    const configured = hooksUrl ? { url: `${hooksUrl}/reloadly`, secret: hookSecrets.reloadly } : undefined;
    this.hooks = new ProviderHooks({ clock, sign: reloadlyHeaders, configured });
  }

  stop(): Promise<void> {
    return this.hooks.sender.stop();
  }

  /**
   * Sends the final status. The webhook URL is set when the sandbox starts; at the provider, it is set in a dashboard.
   */
  private sendEvent({ api, id, identifier, ends, settlesAtMs }: Transaction): void {
    const type = hookTypes[api];
    const data = { transactionId: id, customIdentifier: identifier, status: ends };
    this.hooks.send(type, { type, date: wireTime(settlesAtMs), data }, settlesAtMs);
  }

  register(server: FastifyInstance): void {
    const { outage, tokens } = this;
    server.addHook('onRequest', async (request, reply) => {
      this.count(request);
      // Sends no response until the caller closes the connection.
      if (outage.mode === 'slow') reply.hijack();
      if (outage.mode === 'down') await reply.code(503).type('text/plain').send('Service Unavailable');
    });
    server.setErrorHandler(async (error: Error & { statusCode?: number }, request, reply) =>
      this.sendRejection(error, request, reply),
    );
    server.setNotFoundHandler(({ url }, reply) => {
      const timestamp = new Date(this.parts.clock.now()).toISOString();
      return reply.code(404).send({ timestamp, status: 404, error: 'Not Found', path: url.split('?', 1)[0] });
    });
    server.post('/auth/oauth/token', ({ body }) => tokens.issue(body));
    for (const [api, register] of Object.entries(apis) as [Api, (typeof apis)[Api]][])
      void server.register(async (routes) => this.product(routes, api, register), { prefix: `/${api}` });
  }

  private product(routes: FastifyInstance, api: Api, register: (typeof apis)[Api]): void {
    routes.addHook('onRequest', async ({ headers }) => this.tokens.check(headers.authorization, api));
    routes.get('/accounts/balance', async () => {
      const { transactions, clock } = this.parts;
      const { balance, updatedAtMs } = await transactions.balance(clock.now());
      return {
        balance: number(balance),
        currencyCode: 'USD',
        currencyName: 'US Dollar',
        updatedAt: wireTime(updatedAtMs),
      };
    });
    register(routes, this.parts);
  }

  private count({ method, routeOptions }: FastifyRequest): void {
    const route = `${method} ${routeOptions.url ?? 'unknown'}`;
    this.asked.set(route, (this.asked.get(route) ?? 0) + 1);
  }

  private sendRejection(
    error: Error & { statusCode?: number },
    request: FastifyRequest,
    reply: FastifyReply,
  ): FastifyReply {
    const path = request.url.split('?', 1)[0]!.replace(/^\/reloadly\/\w+/, '');
    const nowMs = this.parts.clock.now();
    if (error instanceof Rejection)
      return reply
        .code(error.status)
        .headers(error.headers)
        .send(rejectionBody(error, path, nowMs));
    request.log.error({ err: error }, 'simulated provider failed');
    const status = error.statusCode ?? 500;
    const errorCode = status < 500 ? 'INVALID_INPUT_PROVIDED' : 'INTERNAL_ERROR';
    const message = status < 500 ? 'The request could not be read' : 'An unexpected error occurred';
    return reply.code(status).send(rejectionBody({ message, errorCode }, path, nowMs));
  }
}
