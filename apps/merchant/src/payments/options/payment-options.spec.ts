import { chains, findChain, findToken } from '@tollbridge/chains';
import {
  candidatesFor,
  maxOptions,
  sorted,
  strategyOf,
  timeInWords,
  type FromToken,
} from './payment-options';

const of = (chainName: string, symbol: string): FromToken => {
  const chain = findChain(chainName)!;
  return { chain, token: findToken(chain, symbol)! };
};

it('candidatesFor returns a limited number of unique options for every token of every chain', () => {
  for (const chain of chains)
    for (const token of chain.tokens) {
      const candidates = candidatesFor({ chain, token });
      const names = candidates.map((it) => `${it.chain.id} ${it.token.symbol}`);
      expect(names[0]).toBe(`${chain.id} ${token.symbol}`);
      expect(new Set(names).size).toBe(names.length);
      expect(names.length).toBeLessThanOrEqual(maxOptions);
      expect(names.length).toBeGreaterThan(chain.isTestnet ? 2 : 15);
      expect(candidates.every((it) => it.chain.isTestnet === chain.isTestnet)).toBe(true);
    }
});

it.each([
  ['direct', of('base', 'USDC'), of('base', 'USDC')],
  ['swap', of('base', 'ETH'), of('base', 'USDC')],
  ['bridge', of('arb', 'USDC'), of('base', 'USDC')],
  ['swap_and_bridge', of('btc', 'BTC'), of('base', 'USDC')],
] as const)('strategyOf returns %s', (strategy, from, settle) => {
  expect(strategyOf(from, settle)).toBe(strategy);
});

it('sorted returns the direct option first, then the others by estimated time', () => {
  const option = (execution_strategy: string, estimated_seconds: number) =>
    ({ execution_strategy, estimated_seconds }) as Parameters<typeof sorted>[0][number];
  const [slow, direct, fast] = [option('bridge', 60), option('direct', 20), option('swap', 5)];
  expect(sorted([slow, direct, fast])).toEqual([direct, fast, slow]);
});

it.each([
  [0, '1 second'],
  [1, '1 second'],
  [6, '6 seconds'],
  [89, '89 seconds'],
  [90, '2 minutes'],
  [120, '2 minutes'],
  [121, '3 minutes'],
  [3_600, '60 minutes'],
  [7_200, '2 hours'],
])('timeInWords converts %d seconds to %s', (seconds, words) => {
  expect(timeInWords(seconds)).toBe(words);
});
