const asBrowser = { headers: { accept: 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.8' } };

/** The landing page, the guides and the files of pages. */
export function siteCases(given: () => { url: string }): void {
  const open = (path: string, init?: RequestInit) =>
    fetch(given().url + path, { redirect: 'manual', ...init });

  describe('GET /', () => {
    it('is a page for browsers and JSON for programs', async () => {
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

    it('leads to a checkout page by one button', async () => {
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

    it('finds guides and operations, and shows the words as text', async () => {
      expect(await (await open('/guides?q=create-order')).text()).toContain('POST /api/v1/pay/create-order');
      const hostile = await (await open(`/guides?q=${encodeURIComponent('"><img src=x>')}`)).text();
      expect(hostile).not.toContain('<img');
      expect((await open('/guides?q=a&q=b')).status).toBe(200);
    });

    it.each(['/guides/none', '/guides/..%2f..%2fpackage', '/guides/%00'])('has no page %s', async (path) => {
      expect((await open(path)).status).toBe(404);
    });
  });

  describe('GET /assets/{file}', () => {
    it('serves what a page names, for ever, in the encoding that the browser accepts', async () => {
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
      'answers programs with JSON: %s',
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
