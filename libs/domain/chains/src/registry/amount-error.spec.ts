import { amountError } from './amount-error';
import { findToken } from './find-token';
import { chains, findChain } from './registry';

const [u64, u128, u256] = [64n, 128n, 256n].map((bits) => 2n ** bits - 1n) as [bigint, bigint, bigint];
const [i64, ton] = [2n ** 63n - 1n, 2n ** 120n - 1n];

it.each([
  ['solana', 'SOL', u64],
  ['solana', 'USDC', u64],
  ['sui', 'SUI', u64],
  ['sui', 'USDC', u64],
  ['aptos', 'APT', u64],
  ['aptos', 'USDC', u64],
  ['ton', 'TON', ton],
  ['ton', 'USDT', ton],
  // In Tron transactions coin amounts are int64, but its contracts use 256 bits.
  ['tron', 'TRX', i64],
  ['tron', 'USDT', u256],
  ['eip155:8453', 'ETH', u256],
  ['eip155:8453', 'USDC', u256],
  ['near', 'NEAR', u128],
  ['near', 'USDC', u128],
  ['starknet', 'STRK', u256],
  ['starknet', 'USDC', u256],
  ['stellar', 'XLM', i64],
  ['stellar', 'USDC', i64],
  ['cardano', 'ADA', u64],
  ['aleo', 'ALEO', u64],
  ['btc', 'BTC', 2_100_000_000_000_000n],
  ['doge', 'DOGE', i64],
  ['xrp', 'XRP', 100_000_000_000_000_000n],
])('amountError on %s in %s accepts amounts up to %s', (name, symbol, most) => {
  const chain = findChain(name)!;
  const token = findToken(chain, symbol)!;
  expect(amountError(chain, token, most)).toBeUndefined();
  expect(amountError(chain, token, most + 1n)).toBe(
    `is above what a transfer of ${token.symbol} on ${chain.name} carries: at most ${most} in the smallest unit`,
  );
});

it('every token has its maximum amount as a decimal text', () => {
  for (const { maxAmountAtomic } of chains.flatMap(({ tokens }) => tokens))
    expect(maxAmountAtomic).toMatch(/^[1-9][0-9]+$/);
});
