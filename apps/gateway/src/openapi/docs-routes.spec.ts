import { Script } from 'node:vm';
import { SampleFront } from '../testing/sample-front';
import { addDocsRoutes } from './docs-routes';

const document = { openapi: '3.1.0', info: { title: 'Sample' } };
const front = new SampleFront();
addDocsRoutes(front.server, document, { asyncapi: '3.0.0' });
afterAll(() => front.server.close());

const addressesIn = (html: string): string[] =>
  [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path]) => path!);

describe('/docs', () => {
  it('is a page whose parts all come from this server, with the right types', async () => {
    const page = await front.send('GET', '/docs');
    expect([page.statusCode, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(page.body).toContain('<title>Tollbridge API</title>');
    const parts = addressesIn(page.body).filter((path) => path.startsWith('/docs/'));
    const types: Record<string, unknown> = {};
    for (const path of parts) {
      const part = await front.send('GET', path);
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

  it('needs nothing from elsewhere', async () => {
    const { body } = await front.send('GET', '/docs');
    expect(addressesIn(body).filter((path) => !path.startsWith('/'))).toEqual([]);
    for (const path of ['/docs/page.css', '/docs/page.js'])
      expect((await front.send('GET', path)).body).not.toMatch(/https?:|\/\/[a-z]|@import|url\(/);
  });

  it('lets the browser load and call this server only, and run no script that stands in the page', async () => {
    const { headers, body } = await front.send('GET', '/docs');
    expect(headers['content-security-policy']).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
        "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    );
    expect(body).not.toMatch(/<script(?! src="\/docs\/)/);
    expect(body).not.toMatch(/\son\w+=/);
  });

  it('starts with a script that is one', async () => {
    const { body } = await front.send('GET', '/docs/page.js');
    expect(() => new Script(body)).not.toThrow();
  });

  it('may be kept for a minute, as its parts may change with a deployment', async () => {
    expect((await front.send('GET', '/docs')).headers['cache-control']).toBe('public, max-age=60');
  });
});

describe('/openapi.json', () => {
  it('is the document', async () => {
    const reply = await front.send('GET', '/openapi.json');
    expect(JSON.parse(reply.body)).toEqual(document);
    expect(reply.headers['content-type']).toBe('application/json; charset=utf-8');
  });

  it('has one beside it of what is told', async () => {
    const reply = await front.send('GET', '/asyncapi.json');
    expect(JSON.parse(reply.body)).toEqual({ asyncapi: '3.0.0' });
    expect(reply.headers['content-type']).toBe('application/json; charset=utf-8');
  });

  it.each(['/openapi.json', '/asyncapi.json', '/docs', '/docs/page.js'])('is read only: %s', async (path) => {
    const reply = await front.send('POST', path, { body: '{}' });
    expect([reply.statusCode, reply.headers['allow']]).toEqual([405, 'GET, HEAD, OPTIONS']);
  });
});
