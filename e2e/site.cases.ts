import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const asBrowser = { headers: { accept: 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.8' } };

/** The landing page, the guides and the files of pages. */
export function siteCases(given: () => { url: string }): void {
  const open = (path: string, init?: RequestInit) =>
    fetch(given().url + path, { redirect: 'manual', ...init });

  describe('GET /', () => {
    it('returns a page to browsers and JSON to programs', async () => {
      const page = await open('/', asBrowser);
      expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(await page.text()).toContain('Take a payment on any chain');
      for (const accept of ['*/*', 'application/json', 'application/json, text/html', ''])
        expect(await (await open('/', { headers: { accept } })).json()).toMatchObject({
          name: 'Tollbridge',
          openapi: `${given().url}/openapi.json`,
        });
      expect(page.headers.get('vary')).toContain('Accept');
    });

    it('links to a checkout page with one button', async () => {
      const reply = await open('/first-payment', {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      });
      expect(reply.status).toBe(303);
      const checkout = await open(reply.headers.get('location')!);
      expect(await checkout.text()).toContain('1 USDC');
    });
  });

  describe('GET /guides', () => {
    it('lists the guides, and each page links to files of this server only', async () => {
      const list = await (await open('/guides')).text();
      const paths = [...list.matchAll(/href="(\/guides\/[\w-]+)"/g)].map(([, path]) => path!);
      expect(paths.length).toBeGreaterThan(10);
      for (const path of paths) {
        const page = await open(path);
        const text = await page.text();
        expect([path, page.status]).toEqual([path, 200]);
        expect(text).not.toMatch(/<script(?! type="module" src="\/assets\/)|src="http|<link[^>]*http/);
      }
    });

    it('finds guides and operations, and shows the query as text', async () => {
      expect(await (await open('/guides?q=create-order')).text()).toContain('POST /api/v1/pay/create-order');
      const hostile = await (await open(`/guides?q=${encodeURIComponent('"><img src=x>')}`)).text();
      expect(hostile).not.toContain('<img');
      expect((await open('/guides?q=a&q=b')).status).toBe(200);
    });

    it.each(['/guides/none', '/guides/..%2f..%2fpackage', '/guides/%00'])(
      'does not serve %s',
      async (path) => {
        expect((await open(path)).status).toBe(404);
      },
    );
  });

  referenceCases(given);

  describe('GET /assets/{file}', () => {
    it('serves the files of a page with a permanent cache, in an encoding that the browser accepts', async () => {
      const [style] = /\/assets\/site-[\w-]+\.css/.exec(await (await open('/', asBrowser)).text())!;
      for (const encoding of ['br', 'gzip']) {
        const reply = await open(style, { headers: { 'accept-encoding': encoding } });
        expect(reply.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
        expect(reply.headers.get('content-encoding')).toBe(encoding);
        expect(await reply.text()).toContain('--accent');
      }
      const plain = await open(style, { headers: { 'accept-encoding': 'identity' } });
      expect(plain.headers.get('content-encoding')).toBeNull();
      expect((await open('/assets/icon.svg')).headers.get('cache-control')).toBe('public, max-age=86400');
    });

    it.each(['/assets/manifest.json', '/assets/guides.json', '/assets/..%2fpackage.json', '/assets/none.js'])(
      'does not serve %s',
      async (path) => {
        expect((await open(path)).status).toBe(404);
      },
    );
  });

  missingAddressCases(open);
}

/** The code of a sample on a page, as a reader copies it. */
function sampleOf(page: string, id: string, language: string): string {
  const section = page.split(`<section class="operation" id="${id}"`)[1]!.split('</section>')[0]!;
  const [, code = ''] = new RegExp(`data-language="${language}">.*?<code>(.*?)</code>`, 's').exec(section)!;
  const characters: Record<string, string> = {
    '&lt;': '<',
    '&gt;': '>',
    '&quot;': '"',
    '&#39;': "'",
    '&amp;': '&',
  };
  return code.replace(/&#?\w+;/g, (entity) => characters[entity]!);
}

function referenceCases(given: () => { url: string }): void {
  const read = async (path: string) => {
    const reply = await fetch(given().url + path);
    return { status: reply.status, headers: reply.headers, text: await reply.text() };
  };
  const run = async (code: string, env: Record<string, string> = {}) =>
    (await promisify(execFile)('bash', ['-c', code], { env: { ...process.env, ...env } })).stdout;

  describe('GET /docs', () => {
    it('links to a page for each group, with every operation of openapi.json', async () => {
      const { text: overview, headers } = await read('/docs');
      const groups = [...overview.matchAll(/<h2 id="[\w-]+"><a href="(\/docs\/[\w-]+)"/g)].map(
        ([, path]) => path!,
      );
      const document = JSON.parse((await read('/openapi.json')).text) as Record<
        string,
        Record<string, object>
      >;
      const ids = Object.values(document['paths']!).flatMap((path) =>
        Object.values(path).map(({ operationId }) => operationId as string),
      );
      expect(headers.get('content-security-policy')).toContain("script-src 'self'");
      const shown: string[] = [];
      for (const path of groups) {
        const { status, text } = await read(path);
        expect([path, status]).toEqual([path, 200]);
        shown.push(...[...text.matchAll(/<section class="operation" id="(\w+)"/g)].map(([, id]) => id!));
      }
      expect(shown.sort()).toEqual(ids.sort());
    });

    it('has curl samples that work as pasted, with the key of the first steps', async () => {
      const orders = (await read('/docs/orders')).text;
      expect(JSON.parse(await run(sampleOf(orders, 'createOrder', 'curl')))).toMatchObject({
        method: 'Direct',
      });
      const [, step = ''] = /<code>(export TOLLBRIDGE_API_KEY=.*?)\n/.exec((await read('/docs')).text)!;
      const requests = (await read('/docs/payment-requests')).text;
      const list = sampleOf(requests, 'listPaymentRequests', 'curl');
      const reply = await run(`${step.replaceAll('&#39;', "'")}\n${list}`);
      expect(JSON.parse(reply)).toEqual(expect.objectContaining({ payment_requests: expect.any(Array) }));
    });

    it('sends no body again to a reader with a current copy', async () => {
      const { headers } = await read('/docs/orders');
      const again = await fetch(`${given().url}/docs/orders`, {
        headers: { 'if-none-match': headers.get('etag')! },
      });
      expect(again.status).toBe(304);
    });
  });
}

function missingAddressCases(open: (path: string, init?: RequestInit) => Promise<Response>): void {
  describe('an address without a page', () => {
    it.each([
      ['GET', '/nothing', 404],
      ['HEAD', '/nothing', 404],
      ['POST', '/nothing', 404],
      ['GET', '/api/nothing', 404],
      ['GET', '/pay/none', 404],
      ['GET', '/checkout/none', 404],
      ['GET', '/checkout/1/2/3', 404],
      ['GET', '/guides/none', 404],
      ['GET', '/docs/none', 404],
      ['GET', '/assets/none.js', 404],
      ['GET', '/v1/quote', 405],
      ['GET', '/%zz', 400],
    ])('shows a browser a page for %s %s', async (method, path, status) => {
      const page = await open(path, { ...asBrowser, method });
      expect([page.status, page.headers.get('content-type')]).toEqual([status, 'text/html; charset=utf-8']);
      const text = await page.text();
      if (method === 'HEAD') expect(text).toBe('');
      else expect(text).toContain('<h1>');
    });

    it.each(['/nothing', '/api/nothing', '/pay/none', '/guides/none', '/guides/none.md', '/assets/none.js'])(
      'returns JSON to programs: %s',
      async (path) => {
        const reply = await open(path);
        expect([reply.status, await reply.json()]).toEqual([
          404,
          expect.objectContaining({ code: 'NOT_FOUND', request_id: reply.headers.get('x-request-id') }),
        ]);
      },
    );
  });
}
