import { errorCodes, withPartsInPlace } from '@tollbridge/rpc';
import { createContext, Script } from 'node:vm';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { GatewayHarness } from '../testing/gateway-harness';
import { samplesApi } from '../testing/sample.api';
import { gatewayRoutes, operationRoutes } from '../routes/gateway-routes';
import { ApiDocuments } from './api-documents';
import { DocumentsController } from './documents.controller';
import { documentRoutes } from './documents.routes';
import { errorReference, errorsPage } from './error-reference';
import { openApiDocument } from './openapi-document';
import { rendererFixture } from '../testing/renderer-fixture';

type Json = Record<string, any>;

const document = { openapi: '3.1.0', info: { title: 'Sample' } };
const renderer = rendererFixture();
const documents: ApiDocuments = {
  openApi: () => Promise.resolve(document),
  asyncApi: { asyncapi: '3.0.0' },
  errorsHtml: renderer.render(errorsPage(errorReference(operationRoutes(samplesApi)))),
  errorsPolicy: renderer.policyOf({}),
};
let harness: GatewayHarness;

beforeAll(async () => {
  harness = await GatewayHarness.open({
    controllers: [DocumentsController],
    providers: [{ provide: ApiDocuments, useValue: documents }],
    routes: documentRoutes,
  });
});
afterAll(() => harness.close());

const addressesIn = (html: string): string[] =>
  [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path]) => path!);

describe('/docs', () => {
  it('loads all parts of the page from this server, with their content types', async () => {
    const page = await harness.send('GET', '/docs');
    expect([page.statusCode, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(page.body).toContain('<title>Tollbridge API</title>');
    const parts = addressesIn(page.body).filter((path) => /^\/docs\/[^?]+\?/.test(path));
    const types: Record<string, unknown> = {};
    for (const path of parts) {
      const part = await harness.send('GET', path);
      expect([path, part.statusCode, part.rawPayload.length > 100]).toEqual([path, 200, true]);
      expect(part.headers['cache-control']).toBe('public, max-age=31536000, immutable');
      types[path.replace(/\?[0-9a-f]{12}$/, '')] = part.headers['content-type'];
    }
    expect(types).toEqual({
      '/docs/swagger-ui.css': 'text/css; charset=utf-8',
      '/docs/page.css': 'text/css; charset=utf-8',
      '/docs/icon.png': 'image/png',
      '/docs/swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
      '/docs/page.js': 'text/javascript; charset=utf-8',
    });
  });

  it('loads nothing from other servers', async () => {
    const { body } = await harness.send('GET', '/docs');
    expect(addressesIn(body).filter((path) => !path.startsWith('/'))).toEqual([]);
    for (const path of ['/docs/page.css', '/docs/page.js'])
      expect((await harness.send('GET', path)).body).not.toMatch(/https?:|\/\/[a-z]|@import|url\(/);
  });

  it('allows no other server and no inline script', async () => {
    const { headers, body } = await harness.send('GET', '/docs');
    expect(headers['content-security-policy']).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
        "connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    );
    expect(body).not.toMatch(/<script(?! src="\/docs\/)/);
    expect(body).not.toMatch(/\son\w+=/);
  });

  it('has the filter of operations', async () => {
    expect((await harness.send('GET', '/docs/page.js')).body).toContain('filter: true');
  });

  it('has a valid script', async () => {
    const { body } = await harness.send('GET', '/docs/page.js');
    expect(() => new Script(body)).not.toThrow();
  });

  it('shows each operation with its replies in place, as the document describes them', async () => {
    const { body } = await harness.send('GET', '/docs/page.js');
    const served: Json = openApiDocument(gatewayRoutes('sandbox'), 'http://127.0.0.1:3000', '1.2.3');
    const viewer = jest.fn();
    const context = createContext({
      document: { getElementById: () => ({}) },
      location: { origin: 'http://127.0.0.1:3000', pathname: '/docs' },
      fetch: async () => ({ ok: true, json: async () => structuredClone(served) }),
      SwaggerUIBundle: viewer,
    });
    new Script(body).runInContext(context);
    await new Promise(setImmediate);
    const [{ spec, plugins }] = viewer.mock.calls[0]!;
    const { resolveSubtree } = plugins[0]().fn;
    const whole = withPartsInPlace(served);
    for (const [path, methods] of Object.entries<Json>(whole['paths']))
      for (const [method, operation] of Object.entries<Json>(methods)) {
        const { spec: shown, errors } = await resolveSubtree(spec, ['paths', path, method]);
        expect(errors).toHaveLength(0);
        for (const [status, { description, content }] of Object.entries<Json>(operation['responses'])) {
          const examplesOf = (each: Json = {}) => Object.values<Json>(each).map(({ examples }) => examples);
          const reply = shown.responses[status];
          expect([reply.description, JSON.stringify(examplesOf(reply.content))]).toEqual([
            description,
            JSON.stringify(examplesOf(content)),
          ]);
        }
      }
    // A schema without references to others.
    const { spec: order } = await resolveSubtree(spec, [
      'paths',
      '/api/v1/pay/order/{id}',
      'get',
      'responses',
      '404',
    ]);
    expect(order.content['application/json'].schema.properties.code.enum[0]).toBe('NOT_FOUND');
  });

  it('may be cached for a minute', async () => {
    expect((await harness.send('GET', '/docs')).headers['cache-control']).toBe('public, max-age=60');
  });
});

describe('/openapi.json', () => {
  it('is the document', async () => {
    const reply = await harness.send('GET', '/openapi.json');
    expect(JSON.parse(reply.body)).toEqual(document);
    expect(reply.headers['content-type']).toBe('application/json; charset=utf-8');
  });

  it('is served next to the AsyncAPI document', async () => {
    const reply = await harness.send('GET', '/asyncapi.json');
    expect(JSON.parse(reply.body)).toEqual({ asyncapi: '3.0.0' });
    expect(reply.headers['content-type']).toBe('application/json; charset=utf-8');
  });

  it.each(['/openapi.json', '/asyncapi.json', '/docs', '/docs/page.js'])('is read only: %s', async (path) => {
    const reply = await harness.send('POST', path, { body: '{}' });
    expect([reply.statusCode, reply.headers['allow']]).toEqual([405, 'GET, HEAD, OPTIONS']);
  });
});

describe('compression', () => {
  const get = (path: string, headers: Record<string, string>) => harness.send('GET', path, { headers });
  const paths = ['/openapi.json', '/asyncapi.json', '/docs', '/docs/errors', '/docs/swagger-ui-bundle.js'];

  it.each(paths)('serves %s in Brotli, gzip or uncompressed, with an ETag for each', async (path) => {
    const plain = await get(path, {});
    const tags = [plain.headers['etag']];
    expect([plain.headers['content-encoding'], plain.headers['vary']]).toEqual([
      undefined,
      'Accept-Encoding',
    ]);
    const decoders = { br: brotliDecompressSync, gzip: gunzipSync };
    for (const [encoding, decode] of Object.entries(decoders)) {
      const { statusCode, headers, rawPayload } = await get(path, { 'accept-encoding': encoding });
      expect([statusCode, headers['content-encoding'], headers['vary']]).toEqual([
        200,
        encoding,
        'Accept-Encoding',
      ]);
      expect(decode(rawPayload).equals(plain.rawPayload)).toBe(true);
      tags.push(headers['etag']);
    }
    expect(new Set(tags).size).toBe(3);
  });

  it.each<[string, string | undefined]>([
    ['gzip, deflate, br, zstd', 'br'],
    ['br;q=0, gzip;q=0.5', 'gzip'],
    ['GZIP', 'gzip'],
    ['*', 'br'],
    ['identity', undefined],
    ['deflate', undefined],
    ['br;q=0, gzip;q=0', undefined],
  ])('reads Accept-Encoding: %s', async (header, encoding) => {
    const { headers } = await get('/openapi.json', { 'accept-encoding': header });
    expect(headers['content-encoding']).toBe(encoding);
  });

  it('returns 304 without a body for a matching ETag', async () => {
    const { headers } = await get('/openapi.json', { 'accept-encoding': 'gzip' });
    const tag = String(headers['etag']);
    for (const known of [tag, `W/${tag}`, `"other", ${tag}`]) {
      const again = await get('/openapi.json', { 'accept-encoding': 'gzip', 'if-none-match': known });
      expect([again.statusCode, again.body, again.headers['etag']]).toEqual([304, '', tag]);
    }
    const other = await get('/openapi.json', { 'accept-encoding': 'br', 'if-none-match': tag });
    expect(other.statusCode).toBe(200);
  });
});

describe('/docs/errors', () => {
  it('explains each code under its own anchor, without a script', async () => {
    const { statusCode, headers, body } = await harness.send('GET', '/docs/errors');
    expect([statusCode, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(headers['content-security-policy']).not.toContain('script-src');
    expect(body).not.toMatch(/<script|\son\w+=/);
    const anchors = [...body.matchAll(/<h2 id="([A-Z_]+)">/g)].map(([, code]) => code);
    expect(anchors.sort()).toEqual(Object.keys(errorCodes).sort());
  });

  it('is the target of documentation_url', async () => {
    const failure = (await harness.send('GET', '/nowhere')).json<{ documentation_url: string }>();
    const { pathname, hash } = new URL(failure.documentation_url);
    expect((await harness.send('GET', pathname)).body).toContain(`<h2 id="${hash.slice(1)}">`);
  });

  it('lists the operations that return a code', async () => {
    const { body } = await harness.send('GET', '/docs/errors');
    const sectionOf = (code: string) => body.split(`<h2 id="${code}">`)[1]!.split('<h2')[0]!;
    expect(sectionOf('INTERNAL_ERROR')).toContain('Every operation');
    expect(sectionOf('METHOD_NOT_ALLOWED')).toContain('before the request reaches an operation');
    expect(sectionOf('CONFLICT')).toContain('<li>POST /v1/samples</li>');
  });
});
