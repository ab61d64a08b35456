// Query ids of a Highload wallet v3, which identify sent batches. Pure functions.

/** A query id has 13 bits of shift, then 10 bits of bit number. The last bit number is never used. */
const bitNumbers = 1_023;
const shifts = 8_192;
const bitsOfBitNumber = 10;

/** 8,380,415 ids within one time-out. The last id is reserved for an emergency. */
export const queryIdCount = shifts * bitNumbers - 1;

/**
 * Returns the query id of the n-th message of a wallet, from 0. Ids repeat after the last one. An id can be reused
 * after twice the wallet's time-out.
 */
export function queryIdAt(count: bigint): number {
  if (count < 0n) throw new RangeError('The count must not be negative.');
  const index = Number(count % BigInt(queryIdCount));
  return (Math.floor(index / bitNumbers) << bitsOfBitNumber) | (index % bitNumbers);
}

/** The emergency id, which is the wallet's last id. `queryIdAt` never returns it. */
export const reservedQueryId = ((shifts - 1) << bitsOfBitNumber) | (bitNumbers - 1);

/**
 * The inverse of `queryIdAt`. Of all counts with this query id, returns the one that is nearest to `near`. Undefined
 * for the reserved id and for invalid ids.
 */
export function countOfQueryId(queryId: number, near: bigint): bigint | undefined {
  if (!isQueryId(queryId) || queryId === reservedQueryId) return undefined;
  const ids = BigInt(queryIdCount);
  const index = BigInt((queryId >> bitsOfBitNumber) * bitNumbers + (queryId & bitNumbers));
  const count = near - (near % ids) + index;
  const behind = count > near ? count - ids : count;
  const ahead = behind + ids;
  return behind < 0n || ahead - near < near - behind ? ahead : behind;
}

/** Whether it is a valid query id. */
export const isQueryId = (queryId: number): boolean =>
  Number.isInteger(queryId) &&
  queryId >= 0 &&
  queryId < shifts << bitsOfBitNumber &&
  (queryId & bitNumbers) !== bitNumbers;
