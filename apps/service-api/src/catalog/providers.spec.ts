import { ConfiguredProviders } from './providers';

const isAvailable = (provider: string, config: Record<string, unknown>): boolean =>
  new ConfiguredProviders(config).isAvailable(provider);

it('a provider is available when all of its settings are', () => {
  const both = { RELOADLY_CLIENT_ID: 'id', RELOADLY_CLIENT_SECRET: 'secret' };
  expect(isAvailable('reloadly', both)).toBe(true);
  expect(isAvailable('reloadly', { ...both, RELOADLY_CLIENT_SECRET: '' })).toBe(false);
  expect(isAvailable('reloadly', { RELOADLY_CLIENT_ID: 'id' })).toBe(false);
});

it('is chosen, or none is', () => {
  expect(isAvailable('cards', { SERVICE_API_CARD_ISSUER: 'lithic' })).toBe(true);
  expect(isAvailable('cards', { SERVICE_API_CARD_ISSUER: 'none' })).toBe(false);
  expect(isAvailable('cards', {})).toBe(false);
});

it.each(['', 'nobody', 'constructor', '__proto__'])('nobody knows %j', (provider) => {
  expect(isAvailable(provider, { CHAINS_FILE: 'chains.json' })).toBe(false);
});
