import { chains, findChain, unknownChain, unknownToken } from '.';

const base = findChain('base')!;

it.each([
  ['bsae', 'base'],
  ['Bsae', 'base'],
  ['etherium', 'ethereum'],
  ['polygom', 'polygon'],
  ['eip155:8435', 'eip155:8453'],
  ['solanna', 'solana'],
])('suggests for the unknown chain %s the name %s', (given, name) => {
  expect(unknownChain(given)).toBe(
    `"${given}" is not a known chain (did you mean "${name}"?); GET /api/v1/pay/chains lists the chains`,
  );
});

it.each(['moonchain', 'x', 'zz', ''])('suggests no chain for %j', (given) => {
  expect(unknownChain(given)).toBe(
    `"${given}" is not a known chain; GET /api/v1/pay/chains lists the chains`,
  );
});

it('returns undefined for every name of a chain or a token', () => {
  for (const chain of chains) {
    for (const name of [chain.id, chain.caip2, chain.shortName, ...chain.aliases])
      expect(unknownChain(name.toUpperCase())).toBeUndefined();
    for (const { symbol, address } of chain.tokens)
      for (const name of [symbol, symbol.toLowerCase(), address ?? symbol])
        expect(unknownToken(chain, name)).toBeUndefined();
  }
});

it('suggests the nearest token of the chain, and lists all tokens', () => {
  expect(unknownToken(base, 'UDSC')).toBe(
    '"UDSC" is not a known token of Base (did you mean "USDC"?); Base has ETH, USDC, USDT, WETH, DAI',
  );
  expect(unknownToken(base, 'DOGE')).toBe(
    '"DOGE" is not a known token of Base; Base has ETH, USDC, USDT, WETH, DAI',
  );
});

it('repeats at most 64 characters of a text', () => {
  expect(unknownToken(base, 'x'.repeat(128))).toMatch(/^"x{64}…" is not a known token/);
  expect(unknownChain('x'.repeat(128))).toMatch(/^"x{64}…" is not a known chain/);
});
