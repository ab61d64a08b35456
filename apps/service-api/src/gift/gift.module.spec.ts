import { loadConfig } from '@tollbridge/config';
import { systemClock } from '@tollbridge/database';
import { reloadlyClient } from './gift.module';
import { ReloadlyClient } from './reloadly/reloadly.client';
import { giftSettings } from './settings';

const all = {
  RELOADLY_AUTH_URL: 'https://auth.reloadly.com',
  RELOADLY_GIFTCARDS_URL: 'https://giftcards.reloadly.com',
  RELOADLY_TOPUPS_URL: 'https://topups.reloadly.com',
  RELOADLY_UTILITIES_URL: 'https://utilities.reloadly.com',
  RELOADLY_CLIENT_ID: 'an-id',
  RELOADLY_CLIENT_SECRET: 'a-secret-of-the-account',
};
const clientOf = (env: NodeJS.ProcessEnv) =>
  reloadlyClient(loadConfig(giftSettings, { TOLLBRIDGE_ENV: 'sandbox', ...env }), systemClock);

describe('the provider of gift cards', () => {
  it('is there with all of its settings, and not there without any', () => {
    expect(clientOf({ ...all, TOLLBRIDGE_ENV: 'production' })).toBeInstanceOf(ReloadlyClient);
    expect(clientOf({})).toBeNull();
  });

  it.each(Object.keys(all))('stops the start when only %s is missing', (name) => {
    expect(() => clientOf({ ...all, [name]: '' })).toThrow(`${name} is missing`);
  });

  it('names all that is missing, and no secret', () => {
    const [secret] = [all.RELOADLY_CLIENT_SECRET];
    const said = (() => {
      try {
        return String(clientOf({ RELOADLY_CLIENT_SECRET: secret }));
      } catch (error) {
        return (error as Error).message;
      }
    })();
    for (const name of Object.keys(all).filter((one) => one !== 'RELOADLY_CLIENT_SECRET'))
      expect(said).toContain(name);
    expect(said).not.toContain(secret);
  });
});
