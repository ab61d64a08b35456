import { storefrontOf, validateStorefront } from './storefront';

const errorsOf = (settings: Record<string, unknown>, environment: 'sandbox' | 'production' = 'production') =>
  validateStorefront(settings, environment).map(({ field }) => field);

describe('storeColor', () => {
  it.each(['#1d4fc4', '#ABCDEF', '', null])('accepts %j', (storeColor) => {
    expect(errorsOf({ storeColor })).toEqual([]);
  });

  it.each(['red', '#fff', '#1d4fc4;}', 'url(//x)', '#1d4fc4\n', 7, {}, ['#1d4fc4']])(
    'rejects %j',
    (storeColor) => {
      expect(errorsOf({ storeColor })).toEqual(['storeColor']);
      expect(storefrontOf({ storeColor }, 'production').storeColor).toBeNull();
    },
  );

  it('returns the value in lower case', () => {
    expect(storefrontOf({ storeColor: '#ABCDEF' }, 'production').storeColor).toBe('#abcdef');
  });
});

describe('embedOrigins', () => {
  it('returns each origin once', () => {
    const embedOrigins = ['https://shop.example', 'https://shop.example:8443', 'https://shop.example'];
    expect(errorsOf({ embedOrigins })).toEqual([]);
    expect(storefrontOf({ embedOrigins }, 'production').embedOrigins).toEqual(embedOrigins.slice(0, 2));
  });

  it.each([
    'https://shop.example/',
    'https://shop.example/path',
    'https://SHOP.example',
    'https://shop.example:443',
    'https://*.example',
    'https://shop.example; script-src *',
    'https://shop.example\r\nset-cookie: a=b',
    "'self'",
    '*',
    'http://shop.example',
    'javascript:alert(1)',
    'data:text/html,x',
    'https://user@shop.example',
    5,
    null,
  ])('rejects the origin %j', (origin) => {
    expect(errorsOf({ embedOrigins: ['https://a.example', origin] })).toEqual(['embedOrigins.1']);
    expect(storefrontOf({ embedOrigins: ['https://a.example', origin] }, 'production').embedOrigins).toEqual(
      [],
    );
  });

  it.each([
    ['a text', 'https://shop.example'],
    ['an object', {}],
    ['eleven', Array(11).fill('https://a.example')],
  ])('rejects %s', (_title, embedOrigins) => {
    expect(errorsOf({ embedOrigins })).toEqual(['embedOrigins']);
  });

  it('accepts an origin on this machine in the sandbox only', () => {
    const embedOrigins = ['http://localhost:8080'];
    expect(errorsOf({ embedOrigins }, 'sandbox')).toEqual([]);
    expect(errorsOf({ embedOrigins })).toEqual(['embedOrigins.0']);
  });
});

it('ignores inherited properties', () => {
  const settings = JSON.parse(
    '{"__proto__": {"storeColor": "#1d4fc4", "embedOrigins": ["https://a.example"]}}',
  );
  expect(storefrontOf(settings as Record<string, unknown>, 'production')).toEqual({
    storeName: null,
    storeColor: null,
    logoHash: null,
    embedOrigins: [],
  });
});
