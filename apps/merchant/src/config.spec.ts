import { readConfig } from './config';

const given = {
  MERCHANT_NATS_URL: 'nats://merchant:secret@127.0.0.1:4222',
  MERCHANT_DATABASE_URL: 'postgres://merchant:secret@127.0.0.1:5432/tollbridge',
  MERCHANT_KEY_PEPPER: 'p'.repeat(32),
};

it('has no pepper of its own, in no environment, and takes none that is short or known', () => {
  for (const TOLLBRIDGE_ENV of ['sandbox', 'test', 'production']) {
    const read = (pepper: string) => () =>
      readConfig({ ...given, TOLLBRIDGE_ENV, MERCHANT_KEY_PEPPER: pepper });
    expect(read('p'.repeat(32))).not.toThrow();
    expect(read('')).toThrow('MERCHANT_KEY_PEPPER is missing');
    expect(read('p'.repeat(31))).toThrow('MERCHANT_KEY_PEPPER must have at least 32 characters');
    if (TOLLBRIDGE_ENV !== 'sandbox')
      expect(read('REPLACE_ME_with_at_least_32_random_characters')).toThrow(
        'MERCHANT_KEY_PEPPER must not be',
      );
  }
});

it.each(['test', 'production'])('refuses the key that everybody knows in %s', (TOLLBRIDGE_ENV) => {
  const MERCHANT_SANDBOX_WORLD_FILE = './world.json';
  expect(() => readConfig({ ...given, TOLLBRIDGE_ENV, MERCHANT_SANDBOX_WORLD_FILE })).toThrow(
    `MERCHANT_SANDBOX_WORLD_FILE must not be set with TOLLBRIDGE_ENV=${TOLLBRIDGE_ENV}`,
  );
});
