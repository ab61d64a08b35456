import type { IncomingMessage, ServerResponse } from 'node:http';
import { Inject, Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { Answer } from '../answers';
import { bodyBytesOf } from '../body-bytes';
import type { Payment } from '../grant';
import type { PaidOptions, Verdict } from '../paid-options';
import type { PaidRoute } from '../paid-route';
import { paymentHeaderOf, signInHeaderOf } from '../payment-header-of';
import { Paywall } from '../paywall';
import { watchResponse } from '../response-watch';
import { overrideHeaders, sendAnswer, type HeaderedReply } from '../send-answer';

export const pricesOf: unique symbol = Symbol('prices');

/** A request of Express, which is a Node request, or of Fastify, which contains a Node request. */
type AnyRequest = IncomingMessage & {
  raw?: IncomingMessage;
  originalUrl?: string;
  rawBody?: unknown;
  body?: unknown;
  payment?: Payment;
};
type AnyResponse = ServerResponse & HeaderedReply & { raw?: ServerResponse; hijack?: () => void };

/** The price that a request has paid. It is shared, because each module may have its own guard. */
const pricePaid = new WeakMap<IncomingMessage, PaidOptions>();

/** Admits requests that pay the price of `@Paid`. */
@Injectable()
export class PaidGuard implements CanActivate {
  private readonly routes = new WeakMap<PaidOptions, PaidRoute>();

  constructor(@Inject(Paywall) private readonly paywall: Paywall) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const options = optionsIn(context.getHandler()) ?? optionsIn(context.getClass());
    if (!options) return true;
    const request = context.switchToHttp().getRequest<AnyRequest>();
    const response = context.switchToHttp().getResponse<AnyResponse>();
    const received = request.raw ?? request;
    // The guard of the class has already charged this price.
    if (pricePaid.get(received) === options) return true;
    // One payment must not pay two prices, since the lower price would then suffice. The error refunds the payment.
    if (request.payment)
      throw new TypeError('The request has passed a paywall already. Set one price per route.');
    const verdict = await decide(this.routeOf(options), request);
    if (verdict.kind === 'granted') {
      if (response.raw) overrideHeaders(response, verdict.grant.headers);
      watchResponse(response.raw ?? response, verdict.grant);
      request.payment = verdict.grant.payment;
      pricePaid.set(received, options);
      return true;
    }
    return takeOver(response, verdict.answer);
  }

  private routeOf(options: PaidOptions): PaidRoute {
    let route = this.routes.get(options);
    if (!route) this.routes.set(options, (route = this.paywall.route(options)));
    return route;
  }
}

const optionsIn = (target: object): PaidOptions | undefined =>
  (target as { [pricesOf]?: PaidOptions })[pricesOf];

function decide(route: PaidRoute, request: AnyRequest): Verdict | Promise<Verdict> {
  return route.decide({
    method: request.method ?? 'GET',
    url: request.originalUrl ?? request.url ?? '/',
    payment: paymentHeaderOf(request.raw ?? request),
    authorization: request.headers.authorization,
    signIn: signInHeaderOf(request),
    body: route.bindsBody ? bodyBytesOf(request) : undefined,
  });
}

/**
 * Sends the response instead of the app, because an exception with its filters would cost more than the rest of the
 * request. The promise never settles, so the app does nothing more for this request.
 */
function takeOver(response: AnyResponse, answer: Answer): Promise<never> {
  const target = response.raw ?? response;
  // Headers of a Fastify reply, such as those for CORS, are not on Node's response yet.
  if (response.raw && response.getHeaders)
    for (const [name, value] of Object.entries(response.getHeaders()))
      if (value !== undefined) target.setHeader(name, value);
  response.hijack?.();
  sendAnswer(target, answer);
  return new Promise(() => undefined);
}
