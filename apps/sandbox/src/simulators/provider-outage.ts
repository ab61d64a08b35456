import type { FastifyInstance } from 'fastify';
import type { Outage } from './outage';

/** Makes a simulator return 503, or never respond until the caller closes the connection. */
export function observeOutage(routes: FastifyInstance, outage: Outage): void {
  routes.addHook('onRequest', async (_request, reply) => {
    if (outage.mode === 'slow') reply.hijack();
    if (outage.mode === 'down') await reply.code(503).type('text/plain').send('Service Unavailable');
  });
}

/** Reads the body of a form, or of a request without a content type, as text. */
export function readForms(routes: FastifyInstance): void {
  routes.removeAllContentTypeParsers();
  routes.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => {
    done(null, Object.fromEntries(new URLSearchParams(body as string)));
  });
}
