import { countOfQueryId, isQueryId, queryIdAt, queryIdCount, reservedQueryId } from './highload-query-id';

it('queryIdAt counts bit numbers, then shifts, and never returns the last bit number', () => {
  const ids = Array.from({ length: 3_000 }, (_, count) => queryIdAt(BigInt(count)));
  expect(new Set(ids).size).toBe(3_000);
  expect(ids.every(isQueryId)).toBe(true);
  expect([ids[0], ids[1], ids[1_022], ids[1_023]]).toEqual([0, 1, 1_022, 1 << 10]);
});

it('queryIdAt returns as many ids as the contract allows except the last one, and then starts again', () => {
  expect(queryIdCount).toBe(8_380_415);
  const last = queryIdAt(BigInt(queryIdCount) - 1n);
  expect([last >> 10, last & 1_023]).toEqual([8_191, 1_021]);
  expect(queryIdAt(BigInt(queryIdCount))).toBe(0);
  expect(queryIdAt(BigInt(queryIdCount) * 1_000_000_000n + 5n)).toBe(5);
});

it('isQueryId rejects invalid ids', () => {
  expect(isQueryId((8_191 << 10) | 1_022)).toBe(true);
  for (const none of [-1, 0.5, Number.NaN, 1_023, (5 << 10) | 1_023, 8_192 << 10, 2 ** 32])
    expect(isQueryId(none)).toBe(false);
  expect(() => queryIdAt(-1n)).toThrow(RangeError);
});

it('countOfQueryId returns the nearest count with the query id', () => {
  const ids = BigInt(queryIdCount);
  for (const count of [0n, 1n, 1_022n, 1_023n, 5_000n, ids - 1n, ids, ids + 7n, 9n * ids + 123_456n])
    for (const near of [count, count + 1n, count + 40n, count + 4_000_000n, count > 40n ? count - 40n : 0n])
      expect(countOfQueryId(queryIdAt(count), near)).toBe(count);
  // The result is never negative, because counting starts with the first lap.
  expect(countOfQueryId(queryIdAt(ids - 1n), 0n)).toBe(ids - 1n);
  expect(countOfQueryId(queryIdAt(ids - 1n), ids + 5n)).toBe(ids - 1n);
  expect(countOfQueryId(queryIdAt(3n), ids - 2n)).toBe(ids + 3n);
});

it('countOfQueryId returns undefined for the reserved id and for invalid ids', () => {
  expect(isQueryId(reservedQueryId)).toBe(true);
  expect(reservedQueryId).toBe(queryIdAt(BigInt(queryIdCount) - 1n) + 1);
  for (const none of [reservedQueryId, 1_023, -1, 0.5, 2 ** 32])
    expect(countOfQueryId(none, 5n)).toBeUndefined();
});
