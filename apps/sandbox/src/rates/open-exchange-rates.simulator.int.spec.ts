import { OpenExchangeRates } from '@tollbridge/rates';
import { ManualClock } from '@tollbridge/testing';
import { openExchangeRatesAppId as appId } from './open-exchange-rates.simulator';
import { seedRates } from './seed-rates';
import { startRateSimulators, type RunningRateSimulators } from './start-rate-simulators';

let clock: ManualClock;
let harness: RunningRateSimulators;

beforeEach(async () => {
  clock = new ManualClock(Date.UTC(2026, 10, 20, 18, 25, 7));
  harness = await startRateSimulators(clock);
});
afterEach(() => harness?.close());

const hourStart = Date.UTC(2026, 10, 20, 18) / 1_000;
const token = (id = appId) => ({ authorization: `Token ${id}` });
const request = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${harness.openExchangeRatesUrl}${path}`, { headers });

describe('the Open Exchange Rates simulator', () => {
  it('publishes the documented fields, with the rates of the table at the full hour', async () => {
    const reply = await request('/api/latest.json', token());
    expect(reply.status).toBe(200);
    expect(reply.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(await reply.json()).toEqual({
      disclaimer: 'Usage subject to terms: https://openexchangerates.org/terms',
      license: 'https://openexchangerates.org/license',
      timestamp: hourStart,
      base: 'USD',
      rates: Object.fromEntries(
        Object.entries(seedRates).map(([code, { perUsd }]) => [code, Number(perUsd)]),
      ),
    });
  });

  it('publishes the rates of the table to the adapter', async () => {
    const source = new OpenExchangeRates({ baseUrl: harness.openExchangeRatesUrl, appId });
    const readings = await source.read(AbortSignal.timeout(10_000));
    expect(readings.length).toBeGreaterThan(150);
    for (const { currency, perUsd, atMs } of readings)
      expect([currency, perUsd, atMs]).toEqual([currency, seedRates[currency]!.perUsd, hourStart * 1_000]);
  });

  it('lists the names of the currencies without an App ID', async () => {
    const names = (await (await request('/api/currencies.json')).json()) as Record<string, string>;
    expect(Object.keys(names)).toEqual(Object.keys(seedRates));
    expect(names).toMatchObject({ EUR: 'Euro', JPY: 'Japanese Yen', BTC: 'Bitcoin' });
  });

  it('converts the rates to another base, and returns the wanted symbols only', async () => {
    const reply = await request('/api/latest.json?base=EUR&symbols=USD,EUR,JPY,QQQ', token());
    expect(await reply.json()).toMatchObject({
      base: 'EUR',
      rates: { EUR: 1, JPY: 163.043478, USD: 1.08695652 },
    });
  });

  it.each<[string, string, Record<string, string>, number, string]>([
    ['no App ID', '/api/latest.json', {}, 401, 'missing_app_id'],
    ['a header in another form', '/api/latest.json', { authorization: appId }, 401, 'missing_app_id'],
    ['an unknown App ID', '/api/latest.json?app_id=wrong', {}, 401, 'invalid_app_id'],
    ['an unknown App ID in the header', '/api/latest.json', token('wrong'), 401, 'invalid_app_id'],
    [
      'an unknown App ID in the URL, although the header is right',
      '/api/latest.json?app_id=wrong',
      token(),
      401,
      'invalid_app_id',
    ],
    ['a base that is not supported', '/api/latest.json?base=QQQ', token(), 400, 'invalid_base'],
    ['another route', '/api/everything.json', token(), 404, 'not_found'],
  ])('rejects %s with the documented body', async (_case, path, headers, status, message) => {
    const reply = await request(path, headers);
    expect(reply.status).toBe(status);
    expect(await reply.json()).toEqual({ error: true, status, message, description: expect.any(String) });
  });

  it('accepts the App ID in the URL, although the header is wrong', async () => {
    expect((await request(`/api/latest.json?app_id=${appId}`, token('wrong'))).status).toBe(200);
  });

  it('returns 304 to a request with the ETag and the Date of its copy, until the rates change', async () => {
    const first = await request('/api/latest.json', token());
    const [etag, date] = ['etag', 'date'].map((name) => first.headers.get(name)!);
    expect(etag).toMatch(/^"[0-9a-f]{32}"$/);
    expect(date).toBe(new Date(hourStart * 1_000).toUTCString());
    const known = { ...token(), 'if-none-match': etag!, 'if-modified-since': date! };
    const again = await request('/api/latest.json', known);
    expect([again.status, await again.text(), again.headers.get('etag')]).toEqual([304, '', etag]);

    const withoutDate = await request('/api/latest.json', { ...token(), 'if-none-match': etag! });
    expect(withoutDate.status).toBe(200);

    clock.advance(60 * 60_000);
    const later = await request('/api/latest.json', known);
    expect(later.status).toBe(200);
    expect(later.headers.get('etag')).not.toBe(etag);
  });

  it('publishes a changed rate at once, with the time of the change', async () => {
    clock.advance(1_000);
    expect(harness.rates.set({ currency: 'EUR', perUsd: '0.95', provider: 'openexchangerates' })).toBe(true);
    const body: any = await (await request('/api/latest.json', token())).json();
    expect([body.rates.EUR, body.timestamp]).toEqual([0.95, clock.now() / 1_000]);
    expect(harness.rates.perUsd('ecb').get('EUR')).toBe('0.92');
  });

  it.each([
    { currency: 'USD', perUsd: '2' },
    { currency: 'QQQ', perUsd: '2' },
    { currency: 'KWD', perUsd: '2', provider: 'ecb' as const },
  ])('rejects the change %j', (change) => {
    expect(harness.rates.set(change)).toBe(false);
  });

  it('returns 503 while it is down', async () => {
    harness.openExchangeRates.outage.mode = 'down';
    expect((await request('/api/latest.json', token())).status).toBe(503);
  });
});
