import { contractCases } from './contract';
import { notCovered } from './covered-routes';
import { Api } from './http';
import { foundIn, logsIn } from './logs';
import { serviceCases, type ServicesHarness } from './services';
import { World } from './world';

const it = { secrets: [] as string[] } as ServicesHarness;

beforeAll(async () => {
  it.harness = await World.start();
  it.api = await Api.at(it.harness.gateway);
  it.sandbox = (await it.api.get('/sandbox')).body;
}, 180_000);

afterAll(() => it.harness?.remove(), 60_000);

for (const [family, cases] of Object.entries(serviceCases)) describe(family, () => cases(it));

describe('the API document', () => contractCases(() => it));

describe('at the end', () => {
  test('each operation of the service API was answered, and each error that it declares', () => {
    expect(notCovered((app) => app === 'service-api')).toEqual([]);
  });

  test('no secret that anybody was shown is in any log', () => {
    const texts = logsIn(it.harness.directory);
    expect(texts.length).toBeGreaterThan(5);
    // The logs are those of this run: a request of it can be found in them.
    expect(texts.some((text) => text.includes('/sandbox'))).toBe(true);
    expect(it.secrets.length).toBeGreaterThan(0);
    expect(foundIn(texts, [...it.secrets, it.sandbox.merchant.secret])).toEqual([]);
  });
});
