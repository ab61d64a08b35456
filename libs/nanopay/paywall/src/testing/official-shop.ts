import express, { type Express, type Request, type Response as ExpressResponse } from 'express';
import { createServer } from 'node:http';
import { paid } from '../express';
import { MemoryClaims } from '../official/memory-claims';
import type { PaidOptions } from '../paid-options';
import { Paywall, type PaywallOptions } from '../paywall';
import { acceptedInTests, FakeFacilitator } from './fake-facilitator';

export interface OfficialShop {
  url: string;
  paywall: Paywall;
  handler: { calls: number; answer: (request: Request, response: ExpressResponse) => unknown };
  /** Errors that a seller would log. */
  errors: unknown[];
  required(path?: string, method?: string): Promise<string>;
  pay(payment: string, path?: string, method?: string): Promise<Response>;
  stop(): Promise<void>;
}

/**
 * Starts a seller's process with the routes `/sold` and `/other` ($0.001), and `/dear` ($0.002). By default it accepts
 * EVM payments only.
 */
export async function startOfficialShop(
  facilitator: FakeFacilitator | string,
  options: Partial<PaywallOptions> = {},
  sold: Partial<PaidOptions> = {},
  port = 0,
): Promise<OfficialShop> {
  const url = typeof facilitator === 'string' ? facilitator : facilitator.url;
  const errors: unknown[] = [];
  const paywall = new Paywall({
    baseUrl: 'https://api.example.com',
    gateway: url,
    accepts: acceptedInTests,
    facilitator: { url },
    claims: new MemoryClaims(),
    onMessageFailed: (error) => errors.push(error),
    ...options,
  });
  const handler: OfficialShop['handler'] = {
    calls: 0,
    answer: (request, response) => response.json({ paidBy: request.payment!.from }),
  };
  const app = express();
  const serve = (request: Request, response: ExpressResponse) => {
    handler.calls++;
    void handler.answer(request, response);
  };
  app.all(['/sold', '/other'], paid(paywall, { price: '$0.001', ...sold }), serve);
  app.all('/dear', paid(paywall, { price: '$0.002', ...sold }), serve);
  app.use((_error: unknown, _request: Request, response: ExpressResponse, _next: unknown) => {
    response.status(500).json({ code: 'broken' });
  });
  return { ...(await listen(app, port)), paywall, handler, errors };
}

type Listening = Pick<OfficialShop, 'url' | 'required' | 'pay' | 'stop'>;

async function listen(app: Express, asked: number): Promise<Listening> {
  const server = createServer(app);
  await new Promise<void>((resolve) => server.listen(asked, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as { port: number }).port}`;
  return {
    url,
    required: async (path = '/sold', method = 'GET') =>
      (await fetch(url + path, { method })).headers.get('payment-required')!,
    pay: (payment, path = '/sold', method = 'GET') =>
      fetch(url + path, { method, headers: { 'payment-signature': payment } }),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
