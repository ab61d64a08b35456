import type { IncomingMessage, ServerResponse } from 'node:http';
import { HttpException, Inject, Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { Answer } from '../answers';
import { bodyBytesOf } from '../body-bytes';
import type { Payment } from '../grant';
import type { PaidOptions, PaidRoute, Verdict } from '../paid-route';
import { paymentHeaderOf } from '../payment-header-of';
import { Paywall } from '../paywall';
import { watchResponse } from '../response-watch';
import { sendAnswer, varyWith } from '../send-answer';

export const pricesOf = Symbol('prices');

/** A request of Express, which is one of Node, or of Fastify, which has one. */
type AnyRequest = IncomingMessage & {
  raw?: IncomingMessage;
  originalUrl?: string;
  rawBody?: unknown;
  body?: unknown;
  payment?: Payment;
};
type AnyResponse = ServerResponse & { raw?: ServerResponse; hijack?: () => void };

/** Lets only those through who pay what `@Paid` says. */
@Injectable()
export class PaidGuard implements CanActivate {
  private readonly routes = new WeakMap<PaidOptions, PaidRoute>();

  constructor(@Inject(Paywall) private readonly paywall: Paywall) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const options = optionsIn(context.getHandler()) ?? optionsIn(context.getClass());
    if (!options) return true;
    const request = context.switchToHttp().getRequest<AnyRequest>();
    const response = context.switchToHttp().getResponse<AnyResponse>();
    // A guard of the class, and one of the method: paid is paid.
    if (request.payment) return true;
    const verdict = await decide(this.routeOf(options), request);
    if (verdict.kind === 'granted') {
      watchResponse(response.raw ?? response, verdict.grant);
      request.payment = verdict.grant.payment;
      return true;
    }
    return verdict.kind === 'repeated'
      ? takeOver(response, verdict.answer)
      : refuse(response, verdict.answer);
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
    ...{ method: request.method ?? 'GET', url: request.originalUrl ?? request.url ?? '/' },
    payment: paymentHeaderOf(request.raw ?? request),
    body: route.bindsBody ? bodyBytesOf(request) : undefined,
  });
}

/** The filters of the app answer, so that it hears of it; what counts is in the headers. */
function refuse(response: AnyResponse, { status, headers, body }: Answer): never {
  const target = response.raw ?? response;
  const vary = varyWith(target.getHeader('vary'));
  for (const [name, value] of Object.entries(headers)) {
    // Of the body, which a filter may write in its own way.
    if (!name.startsWith('Content-')) target.setHeader(name, value);
  }
  if (vary !== undefined) target.setHeader('Vary', vary);
  throw new HttpException(JSON.parse(body.toString()) as Record<string, unknown>, status);
}

/** Sends an answer that was made before. Nothing of the app is to add to it: what would follow never comes. */
function takeOver(response: AnyResponse, answer: Answer): Promise<never> {
  response.hijack?.();
  sendAnswer(response.raw ?? response, answer);
  return new Promise(() => undefined);
}
