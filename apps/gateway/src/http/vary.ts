import type { FastifyReply } from 'fastify';

/** Adds a request header that the reply depends on to `vary`. */
export function varyBy(reply: FastifyReply, name: string): void {
  const named = reply.getHeader('vary');
  void reply.header('vary', named ? `${String(named)}, ${name}` : name);
}
