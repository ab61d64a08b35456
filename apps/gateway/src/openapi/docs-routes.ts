import type { FastifyInstance, FastifyReply } from 'fastify';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const title = 'Tollbridge API';
const assets: Record<string, string> = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'favicon-32x32.png': 'image/png',
};
const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="stylesheet" href="/docs/swagger-ui.css">
<link rel="icon" href="/docs/favicon-32x32.png">
</head>
<body>
<div id="api"></div>
<noscript>This page needs JavaScript. The same description is at <a href="/openapi.json">/openapi.json</a>.</noscript>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>`;
const start = `SwaggerUIBundle({ url: '/openapi.json', dom_id: '#api', deepLinking: true, docExpansion: 'list',
  defaultModelsExpandDepth: 0, displayRequestDuration: true, tryItOutEnabled: true, validatorUrl: null });`;

// The viewer writes its styles into the page and draws its icons from data: addresses; nothing comes from elsewhere.
const pagePolicy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** `/openapi.json`, and `/docs`: the same for people. Everything is served from memory and works without a network. */
export function addDocsRoutes(server: FastifyInstance, document: unknown): void {
  const json = Buffer.from(JSON.stringify(document));
  const folder = dirname(require.resolve('swagger-ui-dist/package.json'));
  const send = (reply: FastifyReply, type: string, body: string | Buffer, maxAgeSeconds: number) =>
    reply.header('content-type', type).header('cache-control', `public, max-age=${maxAgeSeconds}`).send(body);
  server.get('/openapi.json', (_request, reply) => send(reply, 'application/json; charset=utf-8', json, 60));
  server.get('/docs', (_request, reply) =>
    send(reply.header('content-security-policy', pagePolicy), 'text/html; charset=utf-8', page, 60),
  );
  server.get('/docs/start.js', (_request, reply) =>
    send(reply, 'text/javascript; charset=utf-8', start, 3600),
  );
  for (const [name, type] of Object.entries(assets)) {
    const body = readFileSync(join(folder, name));
    server.get(`/docs/${name}`, (_request, reply) => send(reply, type, body, 86_400));
  }
}
