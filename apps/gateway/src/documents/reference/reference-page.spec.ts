import { features } from '@tollbridge/contracts';
import { gatewayRoutes } from '../../routes/gateway-routes';
import { openApiDocument } from '../openapi-document';
import type { OpenApiDocument, OperationObject } from './open-api';
import { referenceGroups } from './reference-groups';
import { ReferencePages } from './reference-page';

const url = 'https://gateway.example';
const routes = gatewayRoutes('sandbox');
const document = openApiDocument(routes, url, '1.2.3') as unknown as OpenApiDocument;
const groups = referenceGroups(document, routes);
const pages = new ReferencePages(document, groups, { url, isSandbox: true });
const bodies = new Map(groups.map(({ slug }) => [slug, pages.group(slug)!.body.text]));
const overview = pages.overview().body.text;

const sectionOf = (slug: string, id: string): string =>
  bodies.get(slug)!.split(`<section class="operation" id="${id}"`)[1]!.split('</section>')[0]!;

describe('ReferencePages', () => {
  it('shows every operation of the document on the page of its group, and lists it in the overview', () => {
    const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
    expect(operations.length).toBeGreaterThan(140);
    const shown = [...bodies.values()].flatMap((body) =>
      [...body.matchAll(/<section class="operation" id="(\w+)"/g)].map(([, id]) => id),
    );
    const ids = operations.map(({ operationId }) => operationId).sort();
    expect(shown.sort()).toEqual(ids);
    expect([...overview.matchAll(/<li id="(\w+)"/g)].map(([, id]) => id).sort()).toEqual(ids);
  });

  it('links only to existing operations, groups and pages, and uses each id once per page', () => {
    const known = new Set([
      '/docs/errors',
      '/guides/webhook-messages',
      '/guides/events',
      '/openapi.json',
      '/asyncapi.json',
    ]);
    for (const [slug, body] of [['', overview] as const, ...bodies]) {
      const ids = [...body.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id!);
      expect([slug, ids.length]).toEqual([slug, new Set(ids).size]);
      for (const [, href = ''] of body.matchAll(/href="([^"]+)"/g)) {
        const [path = '', fragment] = href.split('#');
        const target = path === '' ? body : bodies.get(path.replace(/^\/docs\//, ''));
        const exists = target
          ? fragment === undefined || target.includes(` id="${fragment}"`)
          : known.has(path);
        expect([slug, href, exists]).toEqual([slug, href, true]);
      }
    }
  });

  it('gives no group the path of another page', () => {
    expect(bodies.size).toBe(groups.length);
    expect([...bodies.keys()].filter((slug) => slug === '' || slug === 'errors')).toEqual([]);
  });

  it('returns no page for another name', () => {
    for (const slug of ['none', 'Orders', '__proto__', 'constructor'])
      expect(pages.group(slug)).toBeUndefined();
  });

  it('shows parameters and body fields with types, bounds and required marks', () => {
    const section = sectionOf('orders', 'createOrder');
    const field = (name: string) => section.split(`<code class="name">${name}</code>`)[1]!.split('</li>')[0]!;
    expect(field('pay_blockchain')).toContain('string, 1 to 64 characters');
    expect(field('pay_blockchain')).toContain('required');
    expect(field('merchant_amount')).toContain('<code>^[1-9][0-9]{0,77}$</code>');
    expect(field('Idempotency-Key')).toContain('header, string, 1 to 255 characters');
    expect(field('Idempotency-Key')).not.toContain('required');
  });

  it('shows replies with all of their forms, an example, and the error codes with links to their meaning', () => {
    const section = sectionOf('orders', 'createOrder');
    for (const text of ['Direct order created', 'Cross chain order created', 'Reply 200', 'order_id'])
      expect(section).toContain(text);
    const codes = [...section.matchAll(/href="\/docs\/errors#([A-Z_]+)"/g)].map(([, code]) => code);
    expect(codes).toEqual(expect.arrayContaining(['VALIDATION_ERROR', 'BUDGET_EXCEEDED', 'OUTCOME_UNKNOWN']));
  });

  it('escapes hostile descriptions, names, values and examples', () => {
    const hostile = '</code></pre><script>alert(1)</script>"\'`<img src=x onerror=alert(1)>${x}';
    const operation: OperationObject = {
      operationId: 'createOrder',
      tags: ['Orders'],
      summary: hostile,
      description: `${hostile}\n\n\`${hostile}\` **${hostile}** [link](javascript:alert(1))`,
      parameters: [{ name: hostile, in: 'query', required: true, description: hostile, example: hostile }],
      requestBody: {
        content: {
          'application/json': {
            schema: {
              type: 'object',
              title: hostile,
              properties: {
                [hostile]: { type: hostile, enum: [hostile], pattern: hostile, default: hostile },
              },
            },
            example: { [hostile]: hostile },
          },
        },
      },
      responses: {
        200: {
          description: hostile,
          content: { 'application/json': { schema: {}, example: { [hostile]: hostile } } },
        },
        400: { description: `\`VALIDATION_ERROR\`: ${hostile}` },
      },
    };
    const changed: OpenApiDocument = {
      info: { description: hostile },
      servers: [{ url: `https://x.example/${hostile}` }],
      tags: [{ name: 'Orders', description: hostile }],
      paths: { '/api/v1/pay/create-order': { post: operation } },
    };
    const deployment = { url: changed.servers[0]!.url, isSandbox: true };
    const rendered = new ReferencePages(changed, referenceGroups(changed, routes), deployment);
    for (const { title, description, body } of [rendered.overview(), rendered.group('orders')!]) {
      expect(body.text).toContain('&lt;script&gt;');
      expect(body.text).not.toMatch(/<script|<img|javascript:[^<]*"|<a[^>]*javascript/i);
      // Only expected elements may occur, and no attribute may end early.
      const elements = [...body.text.matchAll(/<\/?([a-z\d]+)((?:\s+[a-z-]+(?:="[^"<>]*")?)*)\s*\/?>/g)];
      expect(elements.length).toBe(body.text.split('<').length - 1);
      expect(`${title} ${description}`).not.toContain('<b>');
    }
  });

  it('shows the sandbox key in the first steps of the sandbox only', () => {
    expect(overview).toContain('tollbridge login --sandbox');
    const production = new ReferencePages(document, groups, { url, isSandbox: false });
    expect(production.overview().body.text).not.toContain('sandbox --');
    const [wallet] = features
      .flatMap(({ operations }) => Object.values(operations))
      .filter(({ operationId }) => operationId === 'createApiKey');
    expect(wallet).toBeDefined();
    expect(production.group('api-keys')!.body.text).toContain('$TOLLBRIDGE_SESSION_TOKEN');
    expect(bodies.get('api-keys')).not.toContain('$TOLLBRIDGE_SESSION_TOKEN');
  });
});
