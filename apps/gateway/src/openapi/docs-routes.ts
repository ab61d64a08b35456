import type { Feature } from '@tollbridge/rpc';
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
  /** Answers the same object until the document changes. */
  openApi: () => Promise<unknown>;
  asyncApi: unknown;
  /** The operations: `/docs/errors` lists their error codes. */
  features: readonly Feature[];
}

/** `/openapi.json`, `/asyncapi.json`, `/docs` and `/docs/errors`. Everything is served from memory, compressed once. */
export function addDocsRoutes(server: FastifyInstance, { openApi, asyncApi, features }: Documents): void {
  const add = (path: string, textOf: () => Promise<CompressedText>): void => {
    server.get(path, async (request, reply) => (await textOf()).send(request, reply));
  };
  const addText = (path: string, body: string | Buffer, headers: Record<string, string>): void => {
    const text = Promise.resolve(new CompressedText(body, headers));
    add(path, () => text);
  };
  const addPage = (path: string, body: string, policy: string): void =>
    addText(path, body, {
      'content-type': html,
      'cache-control': pageMaxAge,
      'content-security-policy': policy,
      'cross-origin-opener-policy': 'same-origin',
    });
  add('/openapi.json', textOfDocument(openApi));
  add(
    '/asyncapi.json',
    textOfDocument(() => Promise.resolve(asyncApi)),
  );
  addPage('/docs', page, pagePolicy);
  addPage(errorsPath, errorsPage(errorReference(features)), policyOf({}));
  for (const [path, { type, body }] of assets)
    addText(path, body, { 'content-type': type, 'cache-control': assetMaxAge });
}

/** Renders a document once, and again only when another one is given. */
function textOfDocument(current: () => Promise<unknown>): () => Promise<CompressedText> {
  let last: { document: unknown; text: CompressedText } | undefined;
  return async () => {
    const document = await current();
    if (last?.document !== document) {
      const headers = { 'content-type': json, 'cache-control': pageMaxAge };
      last = { document, text: new CompressedText(JSON.stringify(document), headers) };
    }
    return last!.text;
  };
}
