import { systemClock } from '@tollbridge/database';
import { openExchangeRatesAppId } from './open-exchange-rates.simulator';
import { seedRates } from './seed-rates';
import { startRateSimulators, type RunningRateSimulators } from './start-rate-simulators';

// The package has no types.
const { cache, factory, OxrError } = jest.requireActual<any>('oxr');

let harness: RunningRateSimulators;

beforeAll(async () => {
  harness = await startRateSimulators(systemClock);
});
afterAll(() => harness?.close());

/** The client of the npm registry. Its `host` contains the path of the simulator on the shared server. */
const client = (appId = openExchangeRatesAppId): any => {
  const { host, pathname } = new URL(harness.openExchangeRatesUrl);
  return factory({ appId, protocol: 'http', host: host + pathname });
};

describe('oxr npm client against the simulator', () => {
  it('reads the latest rates', async () => {
    const { base, rates, timestamp } = await client().latest();
    expect(base).toBe('USD');
    expect(Object.keys(rates)).toEqual(Object.keys(seedRates));
    expect(rates).toMatchObject({ EUR: 0.92, JPY: 150, KWD: 0.3065, USD: 1 });
    expect(Date.now() / 1_000 - timestamp).toBeLessThanOrEqual(60 * 60);
  });

  it('reads the rates of some symbols in another base', async () => {
    const { base, rates } = await client().latest({ base: 'GBP', symbols: 'GBP,EUR' });
    expect([base, rates]).toEqual(['GBP', { EUR: 1.17948717, GBP: 1 }]);
  });

  it('reads the names of the currencies', async () => {
    expect(await client().currencies()).toMatchObject({ EUR: 'Euro', CHF: 'Swiss Franc' });
  });

  it('reports the documented errors', async () => {
    const failure = await client('wrong')
      .latest()
      .catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(OxrError);
    expect(failure).toMatchObject({
      status: 401,
      message: 'invalid_app_id',
      description: expect.stringContaining('https://openexchangerates.org/signup'),
    });
    await expect(client().latest({ base: 'QQQ' })).rejects.toMatchObject({
      status: 400,
      message: 'invalid_base',
    });
  });

  it('keeps its copy in a cache while the time of the rates is recent', async () => {
    let kept: unknown;
    const store = {
      get: () => Promise.resolve(kept),
      put: (value: unknown) => Promise.resolve((kept = value)),
    };
    const caching = cache({ store, ttl: 2 * 60 * 60_000 }, client());
    await caching.latest();
    harness.openExchangeRates.outage.mode = 'down';
    expect(await caching.latest()).toMatchObject({ base: 'USD' });
    harness.openExchangeRates.outage.mode = 'up';
  });
});
