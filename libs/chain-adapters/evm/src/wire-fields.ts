import { UnreadableReply, readTextLike } from '@tollbridge/http';

/**
 * Parses a hexadecimal quantity in the form of the specification: no leading zeros, and at most the 256 bits of an EVM
 * word.
 */
export function readQuantity(value: unknown, path: string): bigint {
  return BigInt(readTextLike(value, path, /^0x(0|[1-9a-f][0-9a-f]{0,63})$/i, 'a quantity'));
}

/** Parses a height, time or index: a quantity that a JavaScript number represents exactly. */
export function readSafeQuantity(value: unknown, path: string): number {
  const number = Number(readQuantity(value, path));
  if (!Number.isSafeInteger(number)) throw new UnreadableReply(`${path} is not a safe number`);
  return number;
}

const readLowerCase = (form: RegExp, what: string) => (value: unknown, path: string) =>
  readTextLike(value, path, form, what).toLowerCase();

export const readHash = readLowerCase(/^0x[0-9a-f]{64}$/i, 'a hash');
export const readAddress = readLowerCase(/^0x[0-9a-f]{40}$/i, 'an address');
export const readBytes = readLowerCase(/^0x(?:[0-9a-f]{2})*$/i, 'bytes in hex');
