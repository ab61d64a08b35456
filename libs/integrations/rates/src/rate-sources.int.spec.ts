import { gzipSync } from 'node:zlib';
import { startHttpServer, type HttpReply, type HttpServer } from '@tollbridge/testing';
import { EuropeanCentralBank, OpenExchangeRates, type RateSource } from '.';

const appId = 'ab'.repeat(16);
const signal = new AbortController().signal;
const ecbFile = `<?xml version="1.0" encoding="UTF-8"?>
<gesmes:Envelope xmlns:gesmes="http://www.gesmes.org/xml/2002-08-01" xmlns="http://www.ecb.int/vocabulary/2002-08-01/eurofxref">
\t<gesmes:subject>Reference rates</gesmes:subject>
\t<gesmes:Sender>
\t\t<gesmes:name>European Central Bank</gesmes:name>
\t</gesmes:Sender>
\t<Cube>
\t\t<Cube time='2026-10-02'>
\t\t\t<Cube currency='USD' rate='1.25'/>
\t\t\t<Cube currency='JPY' rate='187.50'/>
\t\t</Cube>
\t</Cube>
</gesmes:Envelope>`;
const latest = { disclaimer: 'terms', license: 'license', timestamp: 1_795_000_000, base: 'USD' };

let server: HttpServer;
let reply: HttpReply;

beforeAll(async () => {
  server = await startHttpServer(() => reply);
});
afterAll(() => server.close());
beforeEach(() => {
  server.requests.length = 0;
});

const ecb = () => new EuropeanCentralBank(server.url);
const openExchangeRates = () => new OpenExchangeRates({ baseUrl: `${server.url}/`, appId });

it('EuropeanCentralBank requests the daily file, and converts it to rates per dollar', async () => {
  reply = { headers: { 'content-type': 'text/xml', 'content-encoding': 'gzip' }, body: gzipSync(ecbFile) };
  const atMs = Date.UTC(2026, 9, 2, 15);
  await expect(ecb().read(signal)).resolves.toEqual([
    { currency: 'JPY', perUsd: '150', atMs },
    { currency: 'EUR', perUsd: '0.8', atMs },
  ]);
  expect(server.requests).toHaveLength(1);
  expect(server.requests[0]).toMatchObject({
    method: 'GET',
    path: '/stats/eurofxref/eurofxref-daily.xml',
    headers: { accept: 'application/xml, text/xml' },
  });
});

it('OpenExchangeRates sends the App ID in the documented header, and never in the URL', async () => {
  reply = { body: { ...latest, rates: { EUR: 0.921405, JPY: 150, BTC: 0.00001 } } };
  const atMs = 1_795_000_000_000;
  await expect(openExchangeRates().read(signal)).resolves.toEqual([
    { currency: 'EUR', perUsd: '0.921405', atMs },
    { currency: 'JPY', perUsd: '150', atMs },
  ]);
  const [request] = server.requests;
  expect(request).toMatchObject({ method: 'GET', path: '/api/latest.json' });
  expect(request!.headers.authorization).toBe(`Token ${appId}`);
  expect(request!.query.toString()).toBe('');
});

const rejection = (status: number, message: string) => ({
  status,
  body: { error: true, status, message, description: `${message}, app_id=${appId}` },
});
const bomb = `<!DOCTYPE lolz [<!ENTITY a "${'a'.repeat(1_000)}">]>`;

describe.each<[string, () => RateSource, [string, HttpReply, string, string][]]>([
  [
    'EuropeanCentralBank',
    ecb,
    [
      ['an entity bomb', { body: ecbFile.replace('?>\n', `?>\n${bomb}\n`) }, 'badReply', 'document type'],
      ['a page', { body: '<html><body>Access denied</body></html>' }, 'badReply', 'the root is not'],
      ['an empty file', { body: '' }, 'badReply', 'not well-formed'],
      ['a huge file', { body: `${ecbFile}${' '.repeat(64 * 1024)}` }, 'badReply', 'too large'],
      ['a missing file', { status: 404, body: 'Not Found' }, 'rejected', 'answered 404'],
    ],
  ],
  [
    'OpenExchangeRates',
    openExchangeRates,
    [
      ['an invalid App ID', rejection(401, 'invalid_app_id'), 'rejected', 'answered 401'],
      ['a used quota', rejection(429, 'not_allowed'), 'rateLimited', 'answered 429'],
      ['a restricted account', rejection(403, 'access_restricted'), 'rejected', 'answered 403'],
      ['no JSON', { body: '<html>' }, 'badReply', 'not JSON'],
      ['an empty reply', { body: '' }, 'badReply', 'the reply is not an object'],
      [
        'a repeated currency',
        { body: JSON.stringify(latest).replace('}', ',"rates":{"EUR":1,"EUR":2}}') },
        'badReply',
        'several rates of EUR',
      ],
      ['a negative rate', { body: { ...latest, rates: { EUR: -1 } } }, 'badReply', 'the rate of EUR'],
      [
        'a huge reply',
        { body: { ...latest, more: ' '.repeat(256 * 1024), rates: { EUR: 1 } } },
        'badReply',
        'too large',
      ],
    ],
  ],
])('%s', (_source, open, cases) => {
  const common: [string, HttpReply, string, string][] = [
    ['an error of the provider', { status: 502 }, 'unavailable', 'answered 502'],
    ['a truncated reply', { half: ecbFile }, 'unavailable', 'connection failed'],
    [
      'a small gzip of a huge reply',
      { headers: { 'content-encoding': 'gzip' }, body: gzipSync(' '.repeat(5 * 1024 * 1024)) },
      'badReply',
      'too large',
    ],
  ];
  it.each([...cases, ...common])('rejects %s with the reason', async (_case, given, kind, reason) => {
    reply = given;
    const error = (await open()
      .read(signal)
      .catch((thrown: unknown) => thrown)) as Error;
    expect(error).toMatchObject({ name: 'ProviderError', kind });
    expect(error.message).toContain(reason);
    expect(`${error.stack} ${JSON.stringify(error)}`).not.toContain(appId);
  });

  it('ends when the caller aborts', async () => {
    await expect(open().read(AbortSignal.abort())).rejects.toMatchObject({ kind: 'unavailable' });
  });
});
