import type { FastifyReply, FastifyRequest } from 'fastify';
import { acceptedEncoding } from '../documents/compressed-text';
import type { WebFile } from './web-files';

/** Sends a file in the best encoding that its build created and the client accepts. */
export function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  file: WebFile,
  cacheControl: string,
): void {
  const encoding = acceptedEncoding(request.headers['accept-encoding']);
  const encoded = { br: file.brotli, gzip: file.gzip, identity: file.body }[encoding];
  if (encoding !== 'identity' && encoded) void reply.header('content-encoding', encoding);
  void reply
    .header('content-type', file.type)
    .header('cache-control', cacheControl)
    .header('vary', 'Accept-Encoding')
    .send(encoded ?? file.body);
}
