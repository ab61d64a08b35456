import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { notCovered } from './covered-routes';
import { Api } from './http';
import { serviceCases, type ServicesWorld } from './services';
import { World } from './world';

const it = { secrets: [] as string[] } as ServicesWorld;

beforeAll(async () => {
  it.world = await World.start();
  it.api = await Api.at(it.world.gateway);
  it.sandbox = (await it.api.get('/sandbox')).body;
}, 180_000);

afterAll(() => it.world?.remove(), 60_000);

for (const [family, cases] of Object.entries(serviceCases)) describe(family, () => cases(it));

describe('at the end', () => {
  test('each operation of the service API was answered, and each error that it declares', () => {
    expect(notCovered((app) => app === 'service-api')).toEqual([]);
  });

  test('no secret that anybody was shown is in any log', () => {
    const logs = logsIn(it.world.directory);
    expect(logs.length).toBeGreaterThan(5);
    const texts = logs.map((file) => readFileSync(file, 'utf8'));
    // The logs are those of this run: a request of it can be found in them.
    expect(texts.some((text) => text.includes('/sandbox'))).toBe(true);
    expect(it.secrets.length).toBeGreaterThan(0);
    const known = [...it.secrets, it.sandbox.merchant.secret];
    expect(known.filter((secret) => texts.some((text) => text.includes(secret)))).toEqual([]);
  });
});

/** Of the apps; servers write what they are asked for nowhere else. */
function logsIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.log'))
    .map((entry) => join(entry.parentPath, entry.name));
}
