import { ConfiguredProviders } from './providers';

const isAvailable = (provider: string, config: Record<string, unknown>): boolean =>
  new ConfiguredProviders(config).isAvailable(provider);

it('ConfiguredProviders reports a provider as available when all of its settings are set', () => {
  const both = { RELOADLY_CLIENT_ID: 'id', RELOADLY_CLIENT_SECRET: 'secret' };
  expect(isAvailable('reloadly', both)).toBe(true);
  expect(isAvailable('reloadly', { ...both, RELOADLY_CLIENT_SECRET: '' })).toBe(false);
  expect(isAvailable('reloadly', { RELOADLY_CLIENT_ID: 'id' })).toBe(false);
});

it('ConfiguredProviders reads the value "none" as not configured', () => {
  expect(isAvailable('cards', { SERVICE_API_CARD_ISSUER: 'lithic' })).toBe(true);
  expect(isAvailable('cards', { SERVICE_API_CARD_ISSUER: 'none' })).toBe(false);
  expect(isAvailable('cards', {})).toBe(false);
});

it.each(['', 'unknown', 'constructor', '__proto__'])(
  'ConfiguredProviders reports %j as unavailable',
  (provider) => {
    expect(isAvailable(provider, { CHAINS_FILE: 'chains.json' })).toBe(false);
  },
);
