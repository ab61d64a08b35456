import type { FastifyInstance, FastifyReply } from 'fastify';
import { assets, page, pagePolicy } from './docs-page';

const html = 'text/html; charset=utf-8';
const json = 'application/json; charset=utf-8';
// They change with a deployment; their assets do not, since their addresses name their content.
const pageMaxAge = 'public, max-age=60';
const assetMaxAge = 'public, max-age=31536000, immutable';

/** `/openapi.json`, `/asyncapi.json`, and `/docs`: the former for people. Everything is served from memory. */
export function addDocsRoutes(server: FastifyInstance, openApi: unknown, asyncApi: unknown): void {
  const documents = { '/openapi.json': openApi, '/asyncapi.json': asyncApi };
  const send = (reply: FastifyReply, type: string, maxAge: string, body: string | Buffer): FastifyReply =>
    reply.header('content-type', type).header('cache-control', maxAge).send(body);
  for (const [path, document] of Object.entries(documents)) {
    const text = Buffer.from(JSON.stringify(document));
    server.get(path, (_request, reply) => send(reply, json, pageMaxAge, text));
  }
  server.get('/docs', (_request, reply) => {
    reply.header('content-security-policy', pagePolicy).header('cross-origin-opener-policy', 'same-origin');
    return send(reply, html, pageMaxAge, page);
  });
  for (const [path, { type, body }] of assets)
    server.get(path, (_request, reply) => send(reply, type, assetMaxAge, body));
}
