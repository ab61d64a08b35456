import { request as httpRequest } from 'node:http';
import fastify from 'fastify';
import { describeAdapter, type AdapterHarness } from '../testing/adapter-conformance';
import { headerFor, sampleHarness, seller } from '../testing/samples';
import { paywallPlugin } from './index';

async function start({
  paywall,
  handler,
}: AdapterHarness): Promise<{ url: string; stop: () => Promise<void> }> {
  const app = fastify();
  await app.register(paywallPlugin, { paywall });
  app.route({
    method: ['GET', 'POST'],
    url: '/sold',
    config: { paid: { price: '$0.001' } },
    handler: async (request, reply) => {
      handler.calls++;
      if (handler.throws) throw new Error('The handler broke.');
      return reply.code(handler.status).send({ paidBy: request.payment?.from });
    },
  });
  app.post('/bound', { config: { paid: { amount: '1000', bindBody: true } } }, async (request) => ({
    echo: request.body,
  }));
  const schema = {
    params: { type: 'object', properties: { id: { type: 'integer' } } },
    body: {
      type: 'object',
      required: ['prompt'],
      properties: { prompt: { type: 'string', pattern: '[a-z]' } },
    },
  };
  app.post(
    '/typed/:id',
    { schema, config: { paid: { price: '$0.001', signIn: { accessS: 60 } } } },
    async () => ({ isValid: true }),
  );
  await app.listen({ port: 0, host: '127.0.0.1' });
  return { url: app.listeningOrigin, stop: () => app.close() };
}

describeAdapter('Fastify', start, httpRequest);

it('charges only after validation, and sells HEAD like GET', async () => {
  const { paywall, ledger } = sampleHarness();
  const app = fastify();
  await app.register(paywallPlugin, { paywall });
  const schema = { body: { type: 'object', required: ['prompt'] } };
  app.post('/typed', { schema, config: { paid: { amount: '1000' } } }, async () => 'never');
  app.get('/sold', { config: { paid: { amount: '1000' } } }, async () => 'sold');
  const invalid = await app.inject({
    method: 'POST',
    url: '/typed',
    payload: {},
    headers: { 'payment-signature': 'e30=' },
  });
  expect(invalid.statusCode).toBe(400);
  expect(invalid.json()).toMatchObject({ code: 'FST_ERR_VALIDATION' });
  const head = await app.inject({ method: 'HEAD', url: '/sold' });
  expect(head.statusCode).toBe(402);
  expect(ledger.messages).toHaveLength(0);
  const payment = await headerFor(head.headers['payment-required'] as string, { method: 'HEAD' });
  const paid = await app.inject({
    method: 'HEAD',
    url: '/sold',
    headers: { 'payment-signature': payment },
  });
  expect(paid.statusCode).toBe(200);
  expect(ledger.balanceOf(seller)).toBe(1_000n);
  await app.close();
});

it('forbids caching of paid responses, whatever earlier hooks have set', async () => {
  const { paywall } = sampleHarness();
  const app = fastify();
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers({ 'cache-control': 'public, max-age=60', vary: 'Origin' });
  });
  await app.register(paywallPlugin, { paywall });
  app.get('/sold', { config: { paid: { amount: '1000' } } }, async () => 'sold');
  const required = (await app.inject({ url: '/sold' })).headers['payment-required'] as string;
  const headers = { 'payment-signature': await headerFor(required) };
  const paid = await app.inject({ url: '/sold', headers });
  expect(paid.body).toBe('sold');
  expect(paid.headers).toMatchObject({
    'cache-control': 'private, no-store',
    vary: 'Origin, Payment-Signature',
  });
  await app.close();
});

it('serves no priced route that was registered before the plugin', async () => {
  const { paywall } = sampleHarness();
  const app = fastify();
  void app.register(paywallPlugin, { paywall });
  app.get('/sold', { config: { paid: { amount: '1000' } } }, async () => 'sold');
  app.get('/free', async () => 'free');
  await app.ready();
  const sold = await app.inject({ url: '/sold' });
  expect(sold.statusCode).toBeGreaterThanOrEqual(402);
  expect(sold.body).not.toBe('sold');
  expect((await app.inject({ url: '/free' })).body).toBe('free');
  await app.close();
});

it('serves no earlier route that shares the options object of a later one', async () => {
  const { paywall } = sampleHarness();
  const app = fastify();
  const paid = { amount: '1000' };
  void app.register(paywallPlugin, { paywall });
  app.get('/early', { config: { paid } }, async () => 'sold');
  void app.register(async (later) => {
    later.get('/late', { config: { paid } }, async () => 'sold');
    void later.register(async (shop) => void shop.get('/', { config: { paid } }, async () => 'sold'), {
      prefix: '/shop',
    });
  });
  await app.ready();
  const early = await app.inject({ url: '/early' });
  expect(early.statusCode).toBeGreaterThanOrEqual(402);
  expect(early.body).not.toBe('sold');
  for (const url of ['/late', '/shop', '/shop/']) expect((await app.inject({ url })).statusCode).toBe(402);
  await app.close();
});
