import { problemOfWebAddress } from './web-address';

it.each(['https://shop.example/a?b=1#c', 'HTTPS://shop.example', 'https://xn--caf-dma.example:8443/'])(
  'takes %s everywhere',
  (text) => {
    for (const environment of ['sandbox', 'test', 'production'] as const)
      expect(problemOfWebAddress(text, environment)).toBeUndefined();
  },
);

it.each(['http://localhost:8080/', 'http://127.0.0.1/a.png', 'http://[::1]:3000/'])(
  'takes %s in the sandbox only',
  (text) => {
    expect(problemOfWebAddress(text, 'sandbox')).toBeUndefined();
    expect(problemOfWebAddress(text, 'production')).toBe('must be an address that begins with https://');
  },
);

it.each([
  ...[
    'http://shop.example/',
    'http://169.254.169.254/latest',
    'http://localhost.shop.example/',
    '//shop.example/',
  ],
  ...[
    'javascript:alert(1)',
    'data:image/svg+xml,<svg>',
    'file:///etc/passwd',
    'ftp://shop.example/',
    'shop.example',
  ],
  ...['https:shop.example', 'https:/shop.example', 'https:\\\\shop.example', ' https://shop.example', ''],
  ...['https://shop.example/a b', 'https://shop.example/é', 'https://'],
])('refuses %j', (text) => {
  expect(problemOfWebAddress(text, 'sandbox')).toMatch(/^must be an address/);
});

it('refuses what holds credentials, and what is too long', () => {
  expect(problemOfWebAddress('https://user@shop.example/', 'production')).toMatch('user name');
  expect(problemOfWebAddress(`https://a/${'x'.repeat(1_014)}`, 'production')).toBeUndefined();
  expect(problemOfWebAddress(`https://a/${'x'.repeat(1_015)}`, 'production')).toMatch('at most 1024');
});
