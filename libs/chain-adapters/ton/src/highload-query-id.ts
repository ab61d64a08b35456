// Query ids of a Highload wallet v3, which identify sent batches. Pure functions.

/** 13 bits of shift, then 10 bits of bit number. The last bit number is never used. */
const bitNumbers = 1_023;
const shifts = 8_192;
const bitsOfBitNumber = 10;

/** 8,380,415 ids within one time-out. The last id is reserved for an emergency. */
export const queryIdCount = shifts * bitNumbers - 1;

/**
 * The query id of the n-th message of a wallet, from 0. Ids repeat after the last one. An id can be reused when twice the
 * wallet's time-out has passed.
 */
export function queryIdAt(count: bigint): number {
  if (count < 0n) throw new RangeError('A count is not negative.');
  const index = Number(count % BigInt(queryIdCount));
  return (Math.floor(index / bitNumbers) << bitsOfBitNumber) | (index % bitNumbers);
}

/** Whether it is a valid query id. */
export const isQueryId = (queryId: number): boolean =>
  Number.isInteger(queryId) &&
  queryId >= 0 &&
  queryId < shifts << bitsOfBitNumber &&
  (queryId & bitNumbers) !== bitNumbers;
