import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Outage } from '../simulators/outage';

/** Returns a hook that replies with 503 while the provider is down, and never responds while it is slow. */
export function rejectDuringOutage(outage: Outage) {
  return async (_: FastifyRequest, reply: FastifyReply): Promise<void> => {
    // Sends no response until the caller closes the connection.
    if (outage.mode === 'slow') reply.hijack();
    if (outage.mode === 'down') await reply.code(503).type('text/plain').send('Service Unavailable');
  };
}
