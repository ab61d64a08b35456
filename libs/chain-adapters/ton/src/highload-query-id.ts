// The numbers by which a Highload wallet v3 knows what it has sent. Pure.

/** 13 bits of shift, then 10 of a bit number, of which the last is never used. */
const bitNumbers = 1_023;
const shifts = 8_192;
const bitsOfBitNumber = 10;

/** Of all but the last, which is kept for an emergency: 8,380,415 messages within one time-out. */
export const queryIdCount = shifts * bitNumbers - 1;

/**
 * The query id of the n-th message of a wallet, from 0. Once all were used, the first may be used again when the wallet's
 * time-out has passed twice since: count on for ever, and the ids come round by themselves.
 */
export function queryIdAt(count: bigint): number {
  if (count < 0n) throw new RangeError('A count is not negative.');
  const index = Number(count % BigInt(queryIdCount));
  return (Math.floor(index / bitNumbers) << bitsOfBitNumber) | (index % bitNumbers);
}

/** Whether a wallet can have been given this id. */
export const isQueryId = (queryId: number): boolean =>
  Number.isInteger(queryId) &&
  queryId >= 0 &&
  queryId < shifts << bitsOfBitNumber &&
  (queryId & bitNumbers) !== bitNumbers;
