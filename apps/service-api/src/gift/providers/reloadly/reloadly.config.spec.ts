import { loadConfig } from '@tollbridge/config';
import { systemClock } from '@tollbridge/database';
import { reloadlySettings } from './reloadly.config';
import { reloadly } from './reloadly.provider';

const all = {
  RELOADLY_AUTH_URL: 'https://auth.reloadly.com',
  RELOADLY_GIFTCARDS_URL: 'https://giftcards.reloadly.com',
  RELOADLY_TOPUPS_URL: 'https://topups.reloadly.com',
  RELOADLY_UTILITIES_URL: 'https://utilities.reloadly.com',
  RELOADLY_CLIENT_ID: 'an-id',
  RELOADLY_CLIENT_SECRET: 'a-secret-of-the-account',
};
const open = (env: NodeJS.ProcessEnv) =>
  reloadly.open(loadConfig(reloadlySettings, { TOLLBRIDGE_ENV: 'sandbox', ...env }), systemClock);

describe('Reloadly configuration', () => {
  it('opens all three adapters with all settings, and none without any', () => {
    const opened = open({ ...all, TOLLBRIDGE_ENV: 'production' });
    expect([opened?.giftCards?.name, opened?.airtime?.name, opened?.bills?.name]).toEqual(
      Array(3).fill('reloadly'),
    );
    expect(open({})).toBeNull();
  });

  it.each(Object.keys(all))('rejects a configuration without %s only', (name) => {
    expect(() => open({ ...all, [name]: '' })).toThrow(`${name} is missing`);
  });

  it('names all missing settings, and no secret', () => {
    const secret = all.RELOADLY_CLIENT_SECRET;
    const message = (() => {
      try {
        return String(open({ RELOADLY_CLIENT_SECRET: secret }));
      } catch (error) {
        return (error as Error).message;
      }
    })();
    for (const name of Object.keys(all).filter((one) => one !== 'RELOADLY_CLIENT_SECRET'))
      expect(message).toContain(name);
    expect(message).not.toContain(secret);
  });
});
