/** Returns this machine's time in microseconds, for both ends of a measurement. */
export const nowMicros = () => Math.round((performance.timeOrigin + performance.now()) * 1_000);

const hashDigits = 64;
// The number of digits of a time in microseconds since 1970, until the year 10000.
const timeDigits = 15;

/** Returns a transaction hash that contains the publication time of its update. */
export const hashWithTime = (micros) => `0x${micros.toString(16).padStart(hashDigits, '0')}`;

const prefix = Buffer.from('"txHash":"0x');

/**
 * @param {Buffer} message of the stream
 * @returns the time in its transaction hash; NaN for a hash without a time, undefined without a hash
 */
export function timeIn(message) {
  const at = message.indexOf(prefix);
  if (at < 0) return undefined;
  const end = at + prefix.length + hashDigits;
  const isPadded =
    message.latin1Slice(at + prefix.length, end - timeDigits) === '0'.repeat(hashDigits - timeDigits);
  return isPadded ? parseInt(message.latin1Slice(end - timeDigits, end), 16) : NaN;
}
