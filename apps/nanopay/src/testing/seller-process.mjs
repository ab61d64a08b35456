// A seller in its own process: Fastify with the paywall, over the bus or over HTTP. Prints its address. Its settings
// are one JSON argument. `budgetMs` and `messageTimeoutMs` are passed to the paywall unchanged, `maxTimeoutS` to its
// route.
import fastify from 'fastify';
import { createRequire } from 'node:module';
import { connect } from 'nats';

const load = createRequire(import.meta.url);
const { httpTransport, mainnet, natsTransport, Paywall } = load('@tollbridge/paywall');
const { paywallPlugin } = load('@tollbridge/paywall/fastify');

const { natsUrl, gateway, baseUrl, path, to, verifyingContract, asset, maxTimeoutS, ...times } = JSON.parse(
  process.argv[2],
);
const transport = gateway
  ? httpTransport({ url: gateway })
  : natsTransport({ connection: await connect({ servers: natsUrl }) });
const paywall = new Paywall({
  baseUrl,
  to,
  transport,
  ...times,
  deployment: {
    network: mainnet,
    verifyingContract,
    teeEndpoint: 'https://pay.example.com',
    asset: { symbol: 'USDT', master: asset, decimals: 6 },
  },
});
const app = fastify();
await app.register(paywallPlugin, { paywall });
app.get(path, { config: { paid: { amount: '1000', maxTimeoutS } } }, async () => ({ data: 'premium' }));
console.log(`listening on ${await app.listen({ host: '127.0.0.1', port: 0 })}.`);
