import type { Feature } from '@tollbridge/bus';
import type { FastifyInstance } from 'fastify';
import { errorsPath } from '../http/render';
import { policyOf } from '../pages/layout';
import { CompressedText } from './compressed';
import { assets, page, pagePolicy } from './docs-page';
import { errorReference, errorsPage } from './error-reference';

const html = 'text/html; charset=utf-8';
const json = 'application/json; charset=utf-8';
// They change with a deployment; their assets do not, since their addresses name their content.
const pageMaxAge = 'public, max-age=60';
const assetMaxAge = 'public, max-age=31536000, immutable';

export interface Documents {
  openApi: unknown;
  asyncApi: unknown;
  /** The operations whose error codes `/docs/errors` lists. */
  features: readonly Feature[];
}

/** `/openapi.json`, `/asyncapi.json`, `/docs` and `/docs/errors`. Everything is served from memory, compressed once. */
export function addDocsRoutes(server: FastifyInstance, { openApi, asyncApi, features }: Documents): void {
  const add = (path: string, body: string | Buffer, headers: Record<string, string>): void => {
    const text = new CompressedText(body, headers);
    server.get(path, (request, reply) => text.send(request, reply));
  };
  const addPage = (path: string, body: string, policy: string): void =>
    add(path, body, {
      'content-type': html,
      'cache-control': pageMaxAge,
      'content-security-policy': policy,
      'cross-origin-opener-policy': 'same-origin',
    });
  for (const [path, document] of Object.entries({ '/openapi.json': openApi, '/asyncapi.json': asyncApi }))
    add(path, JSON.stringify(document), { 'content-type': json, 'cache-control': pageMaxAge });
  addPage('/docs', page, pagePolicy);
  addPage(errorsPath, errorsPage(errorReference(features)), policyOf({}));
  for (const [path, { type, body }] of assets)
    add(path, body, { 'content-type': type, 'cache-control': assetMaxAge });
}
