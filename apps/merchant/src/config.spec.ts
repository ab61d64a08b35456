import { readConfig } from './config';

const given = {
  TOLLBRIDGE_ENV: 'sandbox',
  MERCHANT_NATS_URL: 'nats://merchant:secret@127.0.0.1:4222',
  MERCHANT_DATABASE_URL: 'postgres://merchant:secret@127.0.0.1:5432/tollbridge',
  MERCHANT_KEY_PEPPER: 'p'.repeat(32),
  CHAINS_FILE: './chains.json',
  GATEWAY_PUBLIC_URL: 'https://api.shop.example',
  SANDBOX_EXPOSED: 'on',
  MERCHANT_IDENTITY_SECRET: 'i'.repeat(32),
  SERVICE_IDENTITIES_FILE: './identities.json',
};

it('requires a pepper of at least 32 characters, and rejects the example outside the sandbox', () => {
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

it.each(['test', 'production'])(
  'rejects the demo merchant, which has a public key, in %s',
  (TOLLBRIDGE_ENV) => {
    const MERCHANT_SANDBOX_WORLD_FILE = './world.json';
    expect(() => readConfig({ ...given, TOLLBRIDGE_ENV, MERCHANT_SANDBOX_WORLD_FILE })).toThrow(
      `MERCHANT_SANDBOX_WORLD_FILE must not be set with TOLLBRIDGE_ENV=${TOLLBRIDGE_ENV}`,
    );
  },
);

it.each(['test', 'production'])('requires CHAINS_FILE in %s', (TOLLBRIDGE_ENV) => {
  expect(() => readConfig({ ...given, TOLLBRIDGE_ENV, CHAINS_FILE: '' })).toThrow('CHAINS_FILE is missing');
  expect(readConfig({ ...given, CHAINS_FILE: '' }).CHAINS_FILE).toBe('');
});
it('requires one sign-in URL outside the sandbox', () => {
  const read = (changes: NodeJS.ProcessEnv) => () =>
    readConfig({ ...given, TOLLBRIDGE_ENV: 'test', ...changes });
  expect(read({ GATEWAY_PUBLIC_URL: '' })).toThrow('GATEWAY_PUBLIC_URL is missing');
  expect(read({ MERCHANT_SIGN_IN_URL: 'https://a.example,https://b.example' })).toThrow(
    'MERCHANT_SIGN_IN_URL must be one URL',
  );
  expect(read({ MERCHANT_SIGN_IN_URL: 'https://a.example' })).not.toThrow();
  expect(read({ MERCHANT_SESSION_DAYS: '0' })).toThrow('MERCHANT_SESSION_DAYS must be');
});
