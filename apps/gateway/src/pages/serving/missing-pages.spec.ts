import { DomainError } from '@tollbridge/rpc';
import { createHash } from 'node:crypto';
import { openRoute } from '../../routes/gateway-route';
import { GatewayHarness } from '../../testing/gateway-harness';
import { rendererFixture } from '../../testing/renderer-fixture';
import { visibleText } from '../../testing/visible-text';
import { PageRenderer } from '../parts/layout';
import { missingPage } from './missing-page';
import { MissingPages } from './missing-pages';
import { english } from '../texts/languages';

const file = openRoute('files', 'readFile', '/files/{name}', 'Read a file');
const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
let harness: GatewayHarness;

beforeAll(async () => {
  harness = await GatewayHarness.open({
    providers: [{ provide: PageRenderer, useValue: rendererFixture() }, MissingPages],
    routes: [file],
    register: (server) =>
      server.get('/files/:name', async () => {
        throw new DomainError('NOT_FOUND', 'There is no such file.');
      }),
  });
});
afterAll(() => harness.close());
beforeEach(() => {
  harness.answer = async () => {
    throw new DomainError('NOT_FOUND', 'There is no such sample.');
  };
});

const open = (path: string, { method = 'GET', accept = browser, language = '' } = {}) =>
  harness.send(method, path, { headers: { accept, 'accept-language': language } });

describe('MissingPages', () => {
  it.each([
    '/nothing',
    '/api/nothing',
    '/api/v1/pay/nothing',
    '/v1/nothing',
    '/checkout/1/2/3',
    '/pay/1',
    '/nothing/',
    '/nothing?lang=xx&q=%zz',
    '/files/none',
    '//nothing',
    `/${'x'.repeat(4_000)}`,
  ])('sends a page to a browser for %s', async (path) => {
    const reply = await open(path);
    expect([reply.statusCode, reply.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
    expect(visibleText(reply.body)).toContain('There is no page at this address');
    for (const target of ['/', '/guides', '/docs', '/health/services'])
      expect(reply.body).toContain(`href="${target}"`);
    expect(reply.body.length).toBeLessThan(8_000);
  });

  it('allows no script and only its own style, like other pages', async () => {
    const { headers, body } = await open('/nothing');
    const hash = createHash('sha256')
      .update(/<style>([^]*)<\/style>/.exec(body)![1]!)
      .digest('base64');
    expect(headers).toMatchObject({
      'content-security-policy': `default-src 'none'; style-src 'sha256-${hash}'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
      'x-frame-options': 'DENY',
      'cache-control': 'no-store',
    });
    expect(headers['vary']).toMatch(/\bAccept\b.*Accept-Language/);
  });

  it.each(['/%zz', '/samples/%ff'])(
    'sends a page to a browser for %s, which cannot be decoded',
    async (path) => {
      const reply = await open(path);
      expect([reply.statusCode, reply.headers['content-type']]).toEqual([400, 'text/html; charset=utf-8']);
      expect(reply.headers['x-request-id']).toMatch(/^req_/);
      expect(harness.logged.at(-1)).toMatchObject({ status: 400, code: 'VALIDATION_ERROR' });
    },
  );

  it('lists the methods of a path that allows other methods', async () => {
    const reply = await open('/v1/samples');
    expect([reply.statusCode, reply.headers['allow']]).toEqual([405, 'OPTIONS, POST']);
    expect(visibleText(reply.body)).toContain('/v1/samples takes these methods: OPTIONS, POST.');
  });

  it.each(['POST', 'PUT', 'DELETE', 'PATCH'])('sends the page for %s too', async (method) => {
    const reply = await open('/nothing', { method });
    expect([reply.statusCode, reply.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
  });

  it('answers HEAD like a page', async () => {
    const reply = await open('/nothing', { method: 'HEAD' });
    expect([reply.statusCode, reply.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
  });

  it('shows the path as text', () => {
    const { text } = missingPage({ path: '/<img src=x>"onclick=x', allow: '' }, english).body;
    expect(text).toContain('/&lt;img src=x&gt;&quot;onclick=x');
    expect(text).not.toContain('<img');
  });

  it('uses the language of the browser or of the URL, like other pages', async () => {
    const german = await open('/nothing', { language: 'de-AT' });
    expect(german.body).toContain('<html lang="de" dir="ltr">');
    expect(german.body).toContain('Unter dieser Adresse gibt es keine Seite');
    expect((await open('/nothing?lang=ar')).body).toContain('<html lang="ar" dir="rtl">');
  });

  it.each(['', '*/*', 'application/json', 'application/json, text/html', 'image/*', 'text/plain'])(
    'returns JSON when a client accepts %j',
    async (accept) => {
      for (const path of ['/nothing', '/v1/nothing', '/files/none', '/v1/samples']) {
        const reply = await open(path, { accept });
        expect(reply.headers['content-type']).toBe('application/json; charset=utf-8');
        expect(reply.headers['vary']).toBe('Accept');
        const body = JSON.parse(reply.body);
        expect((path.startsWith('/v1/') ? body.error : body).code).toMatch(
          /^(NOT_FOUND|METHOD_NOT_ALLOWED)$/,
        );
      }
    },
  );

  it('does not change the failure of an operation', async () => {
    const reply = await open('/v1/samples/1');
    expect([reply.statusCode, JSON.parse(reply.body).error.code]).toEqual([404, 'NOT_FOUND']);
  });

  it('logs the code of the failure', async () => {
    await open('/nothing');
    expect(harness.logged.at(-1)).toMatchObject({ msg: 'request', status: 404, code: 'NOT_FOUND' });
  });
});
