import type { FastifyInstance } from 'fastify';
import type { Outage } from './outage';

/** Lets a simulator be down, or leave its callers without an answer until they hang up. */
export function observeOutage(routes: FastifyInstance, outage: Outage): void {
  routes.addHook('onRequest', async (_request, reply) => {
    if (outage.mode === 'slow') reply.hijack();
    if (outage.mode === 'down') await reply.code(503).type('text/plain').send('Service Unavailable');
  });
}

/** Fields of a form, or of a body that says nothing of its type, as the client sent them. */
export function readForms(routes: FastifyInstance): void {
  routes.removeAllContentTypeParsers();
  routes.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => {
    done(null, Object.fromEntries(new URLSearchParams(body as string)));
  });
}
