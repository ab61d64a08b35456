import { isPayable } from './ways-to-pay';

it('isPayable rejects a price above the maximum of one payment', () => {
  const way = (bits: bigint) => ({ maxAmountAtomic: 2n ** bits - 1n, decimals: 18 });
  // 2^64 - 1 units with 18 decimals are 18.446744 dollars.
  expect(isPayable(way(64n), 18_446_744n)).toBe(true);
  expect(isPayable(way(64n), 18_446_745n)).toBe(false);
  expect(isPayable(way(256n), 18_446_745n)).toBe(true);
});
