import { amountError } from './amount-error';
import { chains, findChain } from './registry';

const u64 = 2n ** 64n - 1n;

it.each([
  ['solana', u64],
  ['sui', u64],
  ['aptos', u64],
  ['ton', 2n ** 120n - 1n],
  ['tron', 2n ** 256n - 1n],
  ['eip155:8453', 2n ** 256n - 1n],
  ['stellar', 2n ** 63n - 1n],
  ['btc', 2_100_000_000_000_000n],
  ['doge', 2n ** 63n - 1n],
  ['xrp', 100_000_000_000_000_000n],
])('amountError on %s accepts amounts up to %s', (name, most) => {
  const chain = findChain(name)!;
  expect(amountError(chain, most)).toBeUndefined();
  expect(amountError(chain, most + 1n)).toBe(
    `is above what a transfer on ${chain.name} carries: at most ${most} in the smallest unit`,
  );
});

it('every chain states the largest amount as a decimal text', () => {
  for (const { maxAmountAtomic } of chains) expect(maxAmountAtomic).toMatch(/^[1-9][0-9]+$/);
});
