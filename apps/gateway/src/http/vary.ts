import type { FastifyReply } from 'fastify';

/** Names one more request header that the reply depends on. */
export function varyBy(reply: FastifyReply, name: string): void {
  const named = reply.getHeader('vary');
  void reply.header('vary', named ? `${String(named)}, ${name}` : name);
}
