// The Express application of both official sellers, configured as their documentation describes.
import express from 'express';
import { paymentMiddleware } from '@x402/express';
import { maxTimeoutSeconds, paths, resource } from './resource.mjs';

/** A facilitator in the same process, which is the fastest configuration of the official server. */
export const inProcess = (facilitator) => ({
  verify: (payload, requirements) => facilitator.verify(payload, requirements),
  settle: (payload, requirements) => facilitator.settle(payload, requirements),
  getSupported: async () => facilitator.getSupported(),
});

/**
 * @param resourceServer an x402ResourceServer with its scheme
 * @param {{ scheme: string, network: string, payTo: string, price: object }} accepts
 * @param {() => object | Promise<object>} answer reply to a command of the benchmark
 */
export async function serveOfficialApp(resourceServer, accepts, answer) {
  const app = express();
  const sell = (_request, response) => response.json(resource);
  // Registered before the paywall, so that a comparison with the paid route shows the full cost of the paywall.
  app.get(paths.open, sell);
  const routes = {
    [`GET ${paths.paid}`]: {
      accepts: { ...accepts, maxTimeoutSeconds },
      description: 'The weather of the bench',
      mimeType: 'application/json',
    },
  };
  app.use(paymentMiddleware(routes, resourceServer));
  app.get(paths.paid, sell);
  const server = app.listen(0, '127.0.0.1', () =>
    process.send({ url: `http://127.0.0.1:${server.address().port}` }),
  );
  process.on('message', async () => process.send(await answer()));
  process.on('disconnect', () => process.exit());
}
