import { createServer, request as httpRequest, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { describeAdapter, type AdapterHarness } from '../testing/adapter-conformance';
import { headerFor, readHeader, sampleHarness, seller } from '../testing/samples';
import { paid, preflight } from './index';

async function start({
  paywall,
  handler,
}: AdapterHarness): Promise<{ url: string; stop: () => Promise<void> }> {
  const app = express();
  app.options('/sold', preflight(paywall));
  app.all('/sold', paid(paywall, { price: '$0.001' }), (request, response) => {
    handler.calls++;
    if (handler.throws) throw new Error('The handler broke.');
    response.status(handler.status).json({ paidBy: request.payment?.from });
  });
  app.post(
    '/bound',
    express.json({ verify: (request, _response, bytes) => Object.assign(request, { rawBody: bytes }) }),
    paid(paywall, { amount: '1000', bindBody: true }),
    (request, response) => void response.json({ echo: request.body as unknown }),
  );
  app.post(
    '/typed/:id',
    paid(paywall, { price: '$0.001', signIn: { accessS: 60 } }),
    express.json(),
    (request, response) => {
      const { prompt } = (request.body ?? {}) as { prompt?: unknown };
      const isValid = /^[0-9]+$/.test(request.params.id) && typeof prompt === 'string';
      response.status(isValid ? 200 : 400).json({ isValid });
    },
  );
  app.use((_error: unknown, _request: unknown, response: any, _next: unknown) => {
    response.status(500).json({ code: 'broken' });
  });
  return listen(createServer(app));
}

async function listen(server: Server): Promise<{ url: string; stop: () => Promise<void> }> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const stop = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { url: `http://127.0.0.1:${port}`, stop };
}

describeAdapter('Express', start, httpRequest);

it('refunds an error response of Express, which clears all headers first', async () => {
  const { paywall, ledger } = sampleHarness();
  const app = express();
  app.get('/sold', paid(paywall, { amount: '1000' }), () => {
    throw new Error('The handler broke.');
  });
  const { url, stop } = await listen(createServer(app));
  const required = (await fetch(`${url}/sold`)).headers.get('payment-required')!;
  const headers = { 'payment-signature': await headerFor(required) };
  const response = await fetch(`${url}/sold`, { headers });
  expect(response.status).toBe(500);
  expect(readHeader(response.headers.get('payment-response'))).toMatchObject({
    success: false,
    errorReason: 'refunded',
    extra: { refund: 'done' },
  });
  expect(ledger.balanceOf(seller)).toBe(0n);
  await stop();
});

it('charges nothing for a request with two prices', async () => {
  const { paywall, ledger } = sampleHarness();
  const app = express();
  app.use('/sold', paid(paywall, { amount: '1000' }));
  app.get('/sold', paid(paywall, { amount: '2000' }), (_request, response) => void response.send('sold'));
  const { url, stop } = await listen(createServer(app));
  const required = (await fetch(`${url}/sold`)).headers.get('payment-required')!;
  const headers = { 'payment-signature': await headerFor(required) };
  const response = await fetch(`${url}/sold`, { headers });
  expect(response.status).toBe(500);
  expect(await response.text()).not.toBe('sold');
  expect(ledger.balanceOf(seller)).toBe(0n);
  await stop();
});
