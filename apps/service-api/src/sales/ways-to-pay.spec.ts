import { findChain } from '@tollbridge/chains';
import { isPayable } from './ways-to-pay';

it('isPayable rejects a price that a transfer on the chain cannot carry', () => {
  const way = (name: string) => ({ chain: findChain(name)!, decimals: 18 });
  // 2^64 - 1 in 18 digits are 18.446744 dollars.
  expect(isPayable(way('solana'), 18_446_744n)).toBe(true);
  expect(isPayable(way('solana'), 18_446_745n)).toBe(false);
  expect(isPayable(way('base'), 18_446_745n)).toBe(true);
});
