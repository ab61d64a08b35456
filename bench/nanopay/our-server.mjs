// Our guard on Fastify or Express, with an unprotected route beside the sold one.
import { createRequire } from 'node:module';
import { connect } from 'nats';
import { connectOptions } from '../nats-options.mjs';
import { maxTimeoutSeconds, paths, priceAtomic, resource } from './resource.mjs';

const load = createRequire(import.meta.url);
const { Paywall, natsTransport, mainnet } = load('@tollbridge/paywall');

const { server, natsUrl, verifyingContract, asset, to, enclaveKey } = JSON.parse(process.argv[2]);
const connection = await connect(connectOptions(natsUrl));
const paywall = new Paywall({
  ...{ baseUrl: 'https://api.example.com', to, transport: natsTransport({ connection }) },
  deployment: {
    ...{ network: mainnet, verifyingContract, teeEndpoint: 'https://pay.example.com' },
    asset: { symbol: 'USDT', master: asset, decimals: 6 },
  },
  ...(enclaveKey && { enclaveKey }),
});
const price = { amount: priceAtomic, maxTimeoutS: maxTimeoutSeconds };

const start = { fastify: startFastify, express: startExpress };
process.send({ url: await start[server]() });
for (const end of ['disconnect', 'SIGTERM']) process.on(end, () => process.exit());

async function startFastify() {
  const { default: fastify } = await import('fastify');
  const { paywallPlugin } = load('@tollbridge/paywall/fastify');
  const app = fastify();
  await app.register(paywallPlugin, { paywall });
  app.get(paths.open, async () => resource);
  app.get(paths.paid, { config: { paid: price } }, async () => resource);
  return app.listen({ host: '127.0.0.1', port: 0 });
}

async function startExpress() {
  const { default: express } = await import('express');
  const { paid } = load('@tollbridge/paywall/express');
  const app = express();
  app.get(paths.open, (_request, response) => response.json(resource));
  app.get(paths.paid, paid(paywall, price), (_request, response) => response.json(resource));
  const listening = app.listen(0, '127.0.0.1');
  await new Promise((resolve) => listening.once('listening', resolve));
  return `http://127.0.0.1:${listening.address().port}`;
}
