import { webAddressError } from './web-address';

it.each(['https://shop.example/a?b=1#c', 'HTTPS://shop.example', 'https://xn--caf-dma.example:8443/'])(
  'webAddressError accepts %s in every environment',
  (text) => {
    for (const environment of ['sandbox', 'test', 'production'] as const)
      expect(webAddressError(text, environment)).toBeUndefined();
  },
);

it.each(['http://localhost:8080/', 'http://127.0.0.1/a.png', 'http://[::1]:3000/'])(
  'webAddressError accepts %s in the sandbox only',
  (text) => {
    expect(webAddressError(text, 'sandbox')).toBeUndefined();
    expect(webAddressError(text, 'production')).toBe('must be an address that begins with https://');
  },
);

it.each([
  'http://shop.example/',
  'http://169.254.169.254/latest',
  'http://localhost.shop.example/',
  '//shop.example/',
  'javascript:alert(1)',
  'data:image/svg+xml,<svg>',
  'file:///etc/passwd',
  'ftp://shop.example/',
  'shop.example',
  'https:shop.example',
  'https:/shop.example',
  'https:\\\\shop.example',
  ' https://shop.example',
  '',
  'https://shop.example/a b',
  'https://shop.example/é',
  'https://',
])('webAddressError rejects %j', (text) => {
  expect(webAddressError(text, 'sandbox')).toMatch(/^must be an address/);
});

it('webAddressError rejects credentials and addresses of more than 1024 characters', () => {
  expect(webAddressError('https://user@shop.example/', 'production')).toMatch('user name');
  expect(webAddressError(`https://a/${'x'.repeat(1_014)}`, 'production')).toBeUndefined();
  expect(webAddressError(`https://a/${'x'.repeat(1_015)}`, 'production')).toMatch('at most 1024');
});
