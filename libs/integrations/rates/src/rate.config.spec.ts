import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '@tollbridge/config';
import { rateSettings, rateSources } from './rate.config';

const appId = 'ab'.repeat(16);
const url = 'https://openexchangerates.org';
const load = (env: NodeJS.ProcessEnv) => loadConfig(rateSettings, { TOLLBRIDGE_ENV: 'production', ...env });

describe('rateSettings', () => {
  it('have no source by default', () => {
    const config = load({});
    expect(config).toMatchObject({ RATES_EVERY_SECONDS: 600, RATE_JUMP_BPS: 1_000 });
    expect(rateSources(config)).toEqual([]);
  });

  it('prefer the source that publishes every hour', () => {
    const names = (env: NodeJS.ProcessEnv) => rateSources(load(env)).map(({ name }) => name);
    const ecb = { ECB_RATES_URL: 'https://www.ecb.europa.eu' };
    const hourly = { OPEN_EXCHANGE_RATES_URL: url, OPEN_EXCHANGE_RATES_APP_ID: appId };
    expect(names(ecb)).toEqual(['ecb']);
    expect(names(hourly)).toEqual(['openexchangerates']);
    expect(names({ ...ecb, ...hourly })).toEqual(['openexchangerates', 'ecb']);
  });

  it('accept an App ID in a file', () => {
    const folder = mkdtempSync(join(tmpdir(), 'rate-settings-'));
    const file = join(folder, 'app-id');
    writeFileSync(file, `${appId}\n`);
    const config = load({ OPEN_EXCHANGE_RATES_URL: url, OPEN_EXCHANGE_RATES_APP_ID_FILE: file });
    expect(config.OPEN_EXCHANGE_RATES_APP_ID).toBe(appId);
    rmSync(folder, { recursive: true });
  });

  it.each<[NodeJS.ProcessEnv, string]>([
    [{ OPEN_EXCHANGE_RATES_URL: url }, 'OPEN_EXCHANGE_RATES_URL needs OPEN_EXCHANGE_RATES_APP_ID too'],
    [{ OPEN_EXCHANGE_RATES_APP_ID: appId }, 'OPEN_EXCHANGE_RATES_APP_ID needs OPEN_EXCHANGE_RATES_URL too'],
    [
      { OPEN_EXCHANGE_RATES_URL: url, OPEN_EXCHANGE_RATES_APP_ID: 'secret' },
      'OPEN_EXCHANGE_RATES_APP_ID must be 32 hexadecimal digits',
    ],
    [
      { OPEN_EXCHANGE_RATES_URL: url, OPEN_EXCHANGE_RATES_APP_ID: `${appId}\r\nx: y` },
      'OPEN_EXCHANGE_RATES_APP_ID must be 32 hexadecimal digits',
    ],
    [{ ECB_RATES_URL: 'ftp://www.ecb.europa.eu' }, 'ECB_RATES_URL must'],
    [{ RATES_EVERY_SECONDS: '4' }, 'RATES_EVERY_SECONDS must be an integer from 5 to 3600'],
    [{ RATE_JUMP_BPS: '0' }, 'RATE_JUMP_BPS must be an integer from 1 to 10000'],
    [{ RATE_JUMP_BPS: '10001' }, 'RATE_JUMP_BPS must be an integer from 1 to 10000'],
  ])('reject %j', (env, problem) => {
    expect(() => load(env)).toThrow(problem);
    expect(() => load(env)).not.toThrow(/secret$|x: y/);
  });
});
