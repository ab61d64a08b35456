import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Outage } from '../simulators/outage';

/** A hook: 503 while it is down, and no answer at all while it is slow. */
export function refuseInOutage(outage: Outage) {
  return async (_: FastifyRequest, reply: FastifyReply): Promise<void> => {
    // Left without an answer, until the caller hangs up.
    if (outage.mode === 'slow') reply.hijack();
    if (outage.mode === 'down') await reply.code(503).type('text/plain').send('Service Unavailable');
  };
}
