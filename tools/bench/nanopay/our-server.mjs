// Tollbridge's paywall on Fastify, with an unprotected route and a paid route.
import fastify from 'fastify';
import { createRequire } from 'node:module';
import { connect } from 'nats';
import { connectOptions } from '../nats-options.mjs';
import { maxTimeoutSeconds, paths, priceAtomic, resource } from './resource.mjs';

const load = createRequire(import.meta.url);
const { Paywall, mainnet, natsTransport, tcpTransport } = load('@tollbridge/paywall');
const { paywallPlugin } = load('@tollbridge/paywall/fastify');

const {
  tcp,
  natsUrl,
  verifyingContract,
  asset,
  to,
  enclaveKey,
  channels,
  port = 0,
} = JSON.parse(process.argv[2]);
const report = (error) => void process.stderr.write(`${error?.stack ?? error}\n`);
const transport = tcp
  ? tcpTransport(tcp)
  : natsTransport({
      connection: await connect(connectOptions(natsUrl)),
      inboxPrefix: '_INBOX.operator',
    });
const paywall = new Paywall({
  baseUrl: 'https://api.example.com',
  to,
  transport,
  deployment: {
    network: mainnet,
    verifyingContract,
    teeEndpoint: 'https://pay.example.com',
    asset: { symbol: 'USDT', master: asset, decimals: 6 },
  },
  ...(enclaveKey && { enclaveKey }),
  ...(channels && { channels: { ...channels, onFailed: report } }),
});
const price = { amount: priceAtomic, maxTimeoutS: maxTimeoutSeconds };

const app = fastify();
await app.register(paywallPlugin, { paywall });
app.get(paths.open, async () => resource);
app.get(paths.paid, { config: { paid: price } }, async () => resource);
await paywall.ready();
process.send({ url: await app.listen({ host: '127.0.0.1', port }) });
// The only command settles the channels.
process.on('message', async () => {
  await paywall.settle();
  process.send({ settled: true });
});
for (const end of ['disconnect', 'SIGTERM']) process.on(end, () => process.exit());
