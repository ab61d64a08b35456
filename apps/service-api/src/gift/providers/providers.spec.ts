import { Providers } from './providers';

const paper = { name: 'paper', settleMs: 5_000 };
const reloadly = { name: 'reloadly', settleMs: 9_000 };

describe('Providers', () => {
  it('sells with the first configured provider', () => {
    expect(new Providers([paper, reloadly]).seller).toBe(paper);
  });

  it('finds the provider that a purchase was stored with', () => {
    expect(new Providers([paper, reloadly]).byName('reloadly')).toBe(reloadly);
    expect(() => new Providers([paper]).byName('other')).toThrow(
      'The provider of this purchase is not configured in this deployment.',
    );
  });

  it('uses Reloadly for purchases stored without a provider', () => {
    expect(new Providers([paper, reloadly]).byName(null)).toBe(reloadly);
  });

  it('throws SERVICE_UNAVAILABLE when no provider is configured', () => {
    expect(() => new Providers([]).seller).toThrow(expect.objectContaining({ code: 'SERVICE_UNAVAILABLE' }));
  });

  it('uses the settle time of the slowest provider', () => {
    expect([new Providers([paper, reloadly]).settleMs, new Providers([]).settleMs]).toEqual([9_000, 0]);
  });
});
