import { PassThrough } from 'node:stream';
import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  preParsingHookHandler,
  RouteOptions,
} from 'fastify';
import type { Answer } from '../answers';
import { bodyBytesOf } from '../body-bytes';
import type { Payment } from '../grant';
import type { PaidOptions, Verdict } from '../paid-options';
import type { PaidRoute } from '../paid-route';
import { paymentHeaderOf, signInHeaderOf } from '../payment-header-of';
import type { Paywall } from '../paywall';
import { watchResponse } from '../response-watch';
import { overrideHeaders, varyWith } from '../send-answer';

/** Marks the configuration of each route with a paywall. */
const hasPaywall: unique symbol = Symbol('hasPaywall');

declare module 'fastify' {
  interface FastifyRequest {
    payment: Payment | null;
    /** The received bytes of the body, on routes that bind bodies. */
    paidBody: Buffer | null;
  }
  interface FastifyContextConfig {
    /** The price of this route. */
    paid?: PaidOptions;
    [hasPaywall]?: true;
  }
}

export interface PaywallPluginOptions {
  paywall: Paywall;
}

/**
 * Plugin that sells routes with `config: { paid: { amount } }`. Their handlers read the payment from `request.payment`.
 */
export async function paywallPlugin(app: FastifyInstance, { paywall }: PaywallPluginOptions): Promise<void> {
  app.decorateRequest('payment', null);
  app.decorateRequest('paidBody', null);
  app.addHook('onRoute', (route) => {
    const price = route.config?.paid;
    if (!price) return;
    route.config = { ...route.config, [hasPaywall]: true };
    sell(route, paywall.route(price));
  });
  // A route that was registered before the plugin has no paywall hook, and must not be free.
  app.addHook('onRequest', (request, _reply, done) => {
    const { config } = request.routeOptions;
    if (!config?.paid || config[hasPaywall]) done();
    else
      done(
        new Error(
          'A priced route was registered before the paywall plugin. Await the registration of the plugin first.',
        ),
      );
  });
  if (paywall.preflight()) {
    app.addHook('onRequest', async (request, reply) => {
      const asks = request.method === 'OPTIONS' && 'access-control-request-method' in request.headers;
      return asks ? answer(reply, paywall.preflight()!) : undefined;
    });
  }
}

// Without encapsulation, so that the hooks apply to the app that registers the plugin.
Object.assign(paywallPlugin, {
  [Symbol.for('skip-override')]: true,
  [Symbol.for('fastify.display-name')]: '@tollbridge/paywall',
});

function sell(route: RouteOptions, sold: PaidRoute): void {
  // Unpaid requests are rejected before the body is read. Paid requests are charged after validation of the body.
  route.onRequest = [
    ...listOf(route.onRequest),
    (request: FastifyRequest, reply: FastifyReply, done: Done) => {
      const { authorization } = request.headers;
      const signIn = signInHeaderOf(request);
      if (sold.hasPayment({ payment: paymentHeaderOf(request.raw), authorization, signIn })) done();
      else requirePayment(sold, request, reply, done);
    },
  ];
  route.preHandler = [
    ...listOf(route.preHandler),
    (request: FastifyRequest, reply: FastifyReply, done: Done) => requirePayment(sold, request, reply, done),
  ];
  if (sold.bindsBody) route.preParsing = [...listOf(route.preParsing), keepBody];
}

type Done = (error?: Error) => void;

function requirePayment(sold: PaidRoute, request: FastifyRequest, reply: FastifyReply, done: Done): void {
  let verdict: Verdict | Promise<Verdict>;
  try {
    verdict = decide(sold, request);
  } catch (error) {
    return done(error as Error);
  }
  if (!(verdict instanceof Promise)) return follow(verdict, request, reply, done);
  verdict.then((decided) => follow(decided, request, reply, done)).catch(done);
}

/** Copies the bytes of the body. Fastify limits their size. */
const keepBody: preParsingHookHandler = (request, _reply, payload, done) => {
  const chunks: Buffer[] = [];
  const passed = new PassThrough({
    transform(chunk: Buffer, _encoding, next) {
      chunks.push(chunk);
      next(null, chunk);
    },
    flush(next) {
      request.paidBody = Buffer.concat(chunks);
      next();
    },
  });
  payload.once('error', (error) => passed.destroy(error));
  payload.pipe(passed);
  done(null, passed);
};

function decide(route: PaidRoute, request: FastifyRequest): Verdict | Promise<Verdict> {
  const payment = paymentHeaderOf(request.raw);
  const { authorization } = request.headers;
  const isRead = payment !== undefined && route.bindsBody;
  return route.decide({
    method: request.method,
    url: request.originalUrl,
    payment,
    authorization,
    signIn: signInHeaderOf(request),
    body: isRead
      ? bodyBytesOf({ headers: request.headers, rawBody: request.paidBody ?? undefined })
      : undefined,
  });
}

function follow(verdict: Verdict, request: FastifyRequest, reply: FastifyReply, done: Done): void {
  if (verdict.kind !== 'granted') return void answer(reply, verdict.answer);
  overrideHeaders(reply, verdict.grant.headers);
  watchResponse(reply.raw, verdict.grant);
  request.payment = verdict.grant.payment;
  done();
}

function answer(reply: FastifyReply, { status, headers, body }: Answer): FastifyReply {
  const vary = varyWith(reply.getHeader('vary'));
  reply.code(status).headers(headers);
  if (vary !== undefined) void reply.header('vary', vary);
  return reply.send(body);
}

function listOf<T>(hooks: T | T[] | undefined): T[] {
  if (hooks === undefined) return [];
  return Array.isArray(hooks) ? hooks : [hooks];
}

export type { Payment } from '../grant';
export type { PaidOptions } from '../paid-options';
