import { errorCodes } from '@tollbridge/rpc';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { GatewayHarness, samplePublicUrl } from '../testing/gateway-harness';
import { samplesApi } from '../testing/sample.api';
import { operationRoutes } from '../routes/gateway-routes';
import { WebFiles } from '../web/web-files';
import { ApiDocuments } from './api-documents';
import { DocumentsController } from './documents.controller';
import { documentRoutes } from './documents.routes';
import { errorReference, errorsPage } from './error-reference';
import { openApiDocument } from './openapi-document';
import { ApiReference } from './reference/api-reference';
import { rendererFixture } from '../testing/renderer-fixture';

const routes = operationRoutes(samplesApi);
let document = openApiDocument(routes, samplePublicUrl, '1.2.3');
const renderer = rendererFixture();
const documents: ApiDocuments = {
  openApi: () => Promise.resolve(document),
  asyncApi: { asyncapi: '3.0.0' },
  errorsHtml: renderer.render(errorsPage(errorReference(routes))),
  errorsPolicy: renderer.policyOf({}),
};
const files: Pick<WebFiles, 'entry'> = {
  entry: (name) => ({
    file: `/assets/${name}-1a2b3c4d.js`,
    imports: [],
    styles: [`/assets/${name}-1a2b3c4d.css`],
  }),
};
let harness: GatewayHarness;

beforeAll(async () => {
  harness = await GatewayHarness.open({
    controllers: [DocumentsController],
    providers: [
      ApiReference,
      { provide: ApiDocuments, useValue: documents },
      { provide: WebFiles, useValue: files },
    ],
    routes: documentRoutes,
  });
});
afterAll(() => harness.close());

describe.each(['/docs', '/docs/samples'])('the API reference at %s', (path) => {
  it('loads all parts from this server, by paths that other routes serve', async () => {
    const { statusCode, headers, body } = await harness.send('GET', path);
    expect([statusCode, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    const loaded = [...body.matchAll(/<(?:script|link|img)[^>]*?(?:src|href)="([^"]+)"/g)].map(
      ([, url]) => url,
    );
    expect(loaded).toEqual([
      '/assets/icon.svg',
      '/assets/site-1a2b3c4d.js',
      '/assets/reference-1a2b3c4d.css',
      '/assets/reference-1a2b3c4d.js',
    ]);
  });

  it('allows no other server, no inline script and no inline style', async () => {
    const { headers, body } = await harness.send('GET', path);
    expect(headers['content-security-policy']).toBe(
      "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; " +
        "frame-ancestors 'none'; script-src 'self'",
    );
    expect(body).not.toMatch(/<script(?! type="module" src="\/assets\/)|<style|\sstyle=|\son\w+=/);
  });

  it('may be cached for a minute', async () => {
    expect((await harness.send('GET', path)).headers['cache-control']).toBe('public, max-age=60');
  });

  it('renders a page once, and again when the document changes', async () => {
    const tagOf = async () => (await harness.send('GET', path)).headers['etag'];
    const before = await tagOf();
    const render = jest.spyOn(files, 'entry').mockClear();
    expect([await tagOf(), render.mock.calls]).toEqual([before, []]);
    const served = document;
    document = openApiDocument(routes, 'https://other.example', '1.2.3');
    expect(await tagOf()).not.toBe(before);
    document = served;
  });
});

describe('GET /docs/{group}', () => {
  it('returns 404 for a group that does not exist', async () => {
    const reply = await harness.send('GET', '/docs/none');
    expect([reply.statusCode, reply.json()]).toEqual([404, expect.objectContaining({ code: 'NOT_FOUND' })]);
  });
});

describe('/openapi.json', () => {
  it('returns the document', async () => {
    const reply = await harness.send('GET', '/openapi.json');
    expect(JSON.parse(reply.body)).toEqual(JSON.parse(JSON.stringify(document)));
    expect(reply.headers['content-type']).toBe('application/json; charset=utf-8');
  });

  it('has the AsyncAPI document next to it, at /asyncapi.json', async () => {
    const reply = await harness.send('GET', '/asyncapi.json');
    expect(JSON.parse(reply.body)).toEqual({ asyncapi: '3.0.0' });
    expect(reply.headers['content-type']).toBe('application/json; charset=utf-8');
  });

  it.each(['/openapi.json', '/asyncapi.json', '/docs', '/docs/samples'])(
    'returns 405 for POST: %s',
    async (path) => {
      const reply = await harness.send('POST', path, { body: '{}' });
      expect([reply.statusCode, reply.headers['allow']]).toEqual([405, 'GET, HEAD, OPTIONS']);
    },
  );
});

describe('compression', () => {
  const get = (path: string, headers: Record<string, string>) => harness.send('GET', path, { headers });
  const paths = ['/openapi.json', '/asyncapi.json', '/docs', '/docs/errors', '/docs/samples'];

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

  it('contains the anchor of documentation_url', async () => {
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
