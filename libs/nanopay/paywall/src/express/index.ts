import type { IncomingMessage, ServerResponse } from 'node:http';
import { bodyBytesOf } from '../body-bytes';
import type { Payment } from '../grant';
import type { PaidOptions, Verdict } from '../paid-options';
import type { PaidRoute } from '../paid-route';
import { paymentHeaderOf, signInHeaderOf } from '../payment-header-of';
import type { Paywall } from '../paywall';
import { watchResponse } from '../response-watch';
import { sendAnswer } from '../send-answer';

declare global {
  // The types of Express are extended by this namespace.
  // oxlint-disable-next-line typescript/no-namespace
  namespace Express {
    interface Request {
      payment?: Payment;
    }
  }
}

/** The fields of an Express request that the paywall uses. */
export type ExpressRequest = IncomingMessage & {
  originalUrl?: string;
  rawBody?: unknown;
  body?: unknown;
  payment?: Payment;
};

export type PaidMiddleware = (
  request: ExpressRequest,
  response: ServerResponse,
  next: (error?: unknown) => void,
) => void;

/** Middleware that admits only paid requests. The handler reads the payment from `request.payment`. */
export function paid(paywall: Paywall, options: PaidOptions): PaidMiddleware {
  const route = paywall.route(options);
  return (request, response, next) => {
    const preflight = request.method === 'OPTIONS' ? paywall.preflight() : undefined;
    if (preflight) return sendAnswer(response, preflight);
    // One payment must not pay two prices, since the lower price would then suffice. The error refunds the payment.
    if (request.payment)
      return next(new TypeError('The request has passed a paywall already. Set one price per route.'));
    let verdict: Verdict | Promise<Verdict>;
    try {
      verdict = decide(route, request);
    } catch (error) {
      return next(error);
    }
    if (!(verdict instanceof Promise)) return follow(verdict, request, response, next);
    verdict.then((decided) => follow(decided, request, response, next)).catch(next);
  };
}

/** Answers preflight requests of browsers. Use it as `app.options('/path', preflight(paywall))`. */
export function preflight(paywall: Paywall): PaidMiddleware {
  return (_request, response, next) => {
    const answer = paywall.preflight();
    if (answer) sendAnswer(response, answer);
    else next();
  };
}

function decide(route: PaidRoute, request: ExpressRequest): Verdict | Promise<Verdict> {
  return route.decide({
    method: request.method ?? 'GET',
    url: request.originalUrl ?? request.url ?? '/',
    payment: paymentHeaderOf(request),
    authorization: request.headers.authorization,
    signIn: signInHeaderOf(request),
    body: route.bindsBody ? bodyBytesOf(request) : undefined,
  });
}

function follow(verdict: Verdict, request: ExpressRequest, response: ServerResponse, next: () => void): void {
  if (verdict.kind !== 'granted') return sendAnswer(response, verdict.answer);
  watchResponse(response, verdict.grant);
  request.payment = verdict.grant.payment;
  next();
}

export type { Payment } from '../grant';
export type { PaidOptions } from '../paid-options';
