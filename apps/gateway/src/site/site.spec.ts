import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gatewayRoutes } from '../routes/gateway-routes';
import { RouteTable } from '../routes/route-table';
import { WebFiles } from '../web/web-files';
import { guideBody } from './guide-page';
import { Guides, type Guide } from './guides';
import { landingPage } from './landing-page';

const guide = {
  slug: 'pay',
  group: 'Take payments',
  title: 'Accept a payment',
  summary: 'How to be paid.',
  html: '<h1>Accept a payment</h1>',
  sections: [
    { id: 'accept-a-payment', title: 'Accept a payment', text: 'How to be paid.' },
    { id: 'follow-it', title: 'Follow it', text: `${'word '.repeat(100)}settlement ${'word '.repeat(100)}` },
  ],
};

let folder: string;
let guides: Guides;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tollbridge-web-'));
  writeFileSync(join(folder, 'manifest.json'), '{}');
  writeFileSync(join(folder, 'guides.json'), JSON.stringify([guide]));
  guides = new Guides(new WebFiles(folder), new RouteTable(gatewayRoutes('production')));
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('Guides', () => {
  it('groups guides by purpose, in their order', () => {
    expect(guides.groups).toEqual([{ title: 'Take payments', guides: [guide] }]);
  });

  it('finds a section by its text, and returns the words around the match', () => {
    const [match, ...others] = guides.search('settlement foll');
    expect(others).toEqual([]);
    expect(match).toMatchObject({
      path: '/guides/pay#follow-it',
      guide: 'Accept a payment',
      title: 'Follow it',
    });
    expect(match!.excerpt).toMatch(/^… .*settlement.* …$/);
    expect(match!.excerpt.length).toBeLessThan(220);
  });

  it('finds operations of the API, without those of the sandbox in production', () => {
    expect(guides.search('create-order').map(({ title }) => title)).toContain(
      'POST /api/v1/pay/create-order',
    );
    expect(guides.search('outage').filter(({ title }) => title.includes('sandbox'))).toEqual([]);
    const [order] = guides.search('create order').filter(({ title }) => title.endsWith('/create-order'));
    expect(order!.path).toBe('/docs/orders#createOrder');
    const excerpts = guides.search('gift').map(({ excerpt }) => excerpt);
    expect(excerpts.length).toBeGreaterThan(3);
    expect(excerpts.join()).not.toContain('`');
  });

  it.each(['', '%', '"><script>', 'x'.repeat(100), '\u202e', '((((('])('finds nothing for %j', (words) => {
    expect(guides.search(words)).toEqual([]);
  });
});

describe('guideBody', () => {
  const others = [
    { ...guide, slug: 'shop', title: 'Run a shop', sections: [] },
    { ...guide, slug: 'swap', title: 'Swap', group: 'Swap and pay out', sections: [] },
  ];
  const all = [guide as unknown as Guide, ...(others as unknown as Guide[])];
  const groups = [
    { title: 'Take payments', guides: all.slice(0, 2) },
    { title: 'Swap and pay out', guides: all.slice(2) },
  ];
  const bodyOf = (at: number) => guideBody(all[at]!, { all, groups } as unknown as Guides).text;

  it('lists all guides by purpose, with the sections of the open one', () => {
    const body = bodyOf(0);
    for (const text of ['Take payments', 'Swap and pay out', 'href="/guides/shop"', 'href="#follow-it"'])
      expect(body).toContain(text);
    expect(body.match(/aria-current="page"/g)).toHaveLength(1);
    expect(bodyOf(1)).not.toContain('href="#follow-it"');
  });

  it('links to the previous and the next guide, if these exist', () => {
    const neighboursOf = (at: number) =>
      [...bodyOf(at).matchAll(/href="([^"]*)" rel="(\w+)"/g)].map(([, href, rel]) => [rel, href]);
    expect([0, 1, 2].map(neighboursOf)).toEqual([
      [['next', '/guides/shop']],
      [
        ['prev', '/guides/pay'],
        ['next', '/guides/swap'],
      ],
      [['prev', '/guides/shop']],
    ]);
  });
});

describe('landingPage', () => {
  const up = { isUp: true, chains: 29, directChains: ['Base'] };

  it('shows the button of a first payment in the sandbox only', () => {
    expect(landingPage(up, { isSandbox: true }).body.text).toContain('action="/first-payment"');
    expect(landingPage(up, { isSandbox: false }).body.text).not.toContain('first-payment');
  });

  it('shows when services do not answer', () => {
    const state = { isUp: false, chains: 0, directChains: [] };
    expect(landingPage(state, { isSandbox: true }).body.text).toContain('not available');
  });
});
