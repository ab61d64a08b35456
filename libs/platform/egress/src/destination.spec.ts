import { hostOf, problemOfUrl } from './destination';
import { insideSpellings } from './testing/inside-spellings';

const good = 'https://hooks.example.com';

describe('problemOfUrl outside the sandbox', () => {
  it.each([
    good,
    `${good}:443/a?b=c#d`,
    `${good}:8443/`,
    'https://93.184.215.14/',
    'https://[2606:2800:21f:cb07:6820:80da:af6b:8b2c]/x',
    'https://bücher.example/',
    'https://example.com./',
    'https://[64:ff9b::5db8:d70e]/',
  ])('accepts %s', (url) => expect(problemOfUrl(url, 'public')).toBeUndefined());

  it.each([
    ['', 'must be a URL'],
    ['hooks.example.com', 'must be a URL'],
    ['/a', 'must be a URL'],
    ['https://', 'must be a URL'],
    ['https://[::1%25lo]/', 'must be a URL'],
    ['http://hooks.example.com', 'must begin with https://'],
    ['ftp://hooks.example.com', 'must begin with https://'],
    ['file:///etc/passwd', 'must begin with https://'],
    ['javascript:alert(1)', 'must begin with https://'],
    ['gopher://hooks.example.com:6379/_', 'must begin with https://'],
    ['https://user@hooks.example.com', 'must not hold a user name or a password'],
    ['https://:pass@hooks.example.com', 'must not hold a user name or a password'],
    ['https://hooks.example.com:6379', 'must have the port 443 or 8443'],
    ['https://hooks.example.com:80', 'must have the port 443 or 8443'],
    ['https://hooks.example.com:0', 'must have the port 443 or 8443'],
    ['https://127.0.0.1', 'must not lead to a loopback address'],
    ['https://169.254.169.254', 'must not lead to a metadata address'],
    ['https://redis', 'must not lead to a name of a local network'],
    [`${good}/${'a'.repeat(2_048)}`, 'must have at most 2048 characters'],
  ])('rejects %s: it %s', (url, problem) => expect(problemOfUrl(url, 'public')).toBe(problem));

  it.each(insideSpellings)('rejects the internal host %s', (host) => {
    expect(problemOfUrl(`https://${host}/`, 'public')).toMatch(/^must not lead to|^must be a URL$/);
  });

  it('covers over 100 internal hosts in valid URLs, over 20 of them 127.0.0.1', () => {
    const urls = insideSpellings.map((host) => `https://${host}/`).filter((text) => URL.canParse(text));
    expect(urls.length).toBeGreaterThan(100);
    expect(urls.filter((text) => hostOf(new URL(text)) === '127.0.0.1').length).toBeGreaterThan(20);
  });
});

describe('problemOfUrl in the sandbox', () => {
  const reach = 'public-or-loopback';

  it.each([
    'http://localhost:8080/hook',
    'http://127.0.0.1:1',
    'http://[::1]:9/',
    'http://a.localhost/',
    'http://[::ffff:127.0.0.1]/',
    'https://localhost:6379/',
    'http://hooks.example.com',
    good,
  ])('accepts %s', (url) => expect(problemOfUrl(url, reach)).toBeUndefined());

  it.each([
    ['http://10.0.0.1', 'must not lead to a private address'],
    ['http://169.254.169.254', 'must not lead to a metadata address'],
    ['http://[fd00:ec2::254]', 'must not lead to a metadata address'],
    ['http://0.0.0.0:1', 'must not lead to a reserved address'],
    ['http://redis:6379', 'must not lead to a name of a local network'],
    ['http://user:pass@localhost', 'must not hold a user name or a password'],
    ['ws://localhost', 'must begin with https:// or http://'],
  ])('rejects %s', (url, problem) => expect(problemOfUrl(url, reach)).toBe(problem));
});
