import { hexToTronAddress, tronToEvmAddress } from '@tollbridge/onchain/tron';
import { BadRequest } from './tron-rejection';

/** Fields of a request, from a JSON body or a query. */
export type Params = Readonly<Record<string, unknown>>;

const maxInt64 = 2n ** 63n - 1n;

export const isVisible = ({ visible }: Params): boolean => visible === true || visible === 'true';

/**
 * Returns an address in base58. A node expects base58 with `visible` and hex without, but tools mix them, so both are
 * accepted.
 */
export function addressIn(params: Params, name: string): string {
  const address = optionalAddressIn(params, name);
  if (address === undefined)
    throw new BadRequest(`class java.lang.IllegalArgumentException : ${name} is missing`);
  return address;
}

export function optionalAddressIn(params: Params, name: string): string | undefined {
  const value = params[name];
  if (value === undefined || value === '') return undefined;
  const text = String(value);
  try {
    if (/^41/.test(text)) return hexToTronAddress(text);
    tronToEvmAddress(text);
    return text;
  } catch {
    throw new BadRequest(`class java.lang.IllegalArgumentException : Invalid address provided for ${name}`);
  }
}

/** Returns a number of 63 bits; zero when it is absent. */
export function amountIn(params: Params, name: string): bigint {
  const value = params[name] ?? 0;
  const text = String(value);
  if (!/^[0-9]{1,19}$/.test(text) || BigInt(text) > maxInt64)
    throw new BadRequest(`class java.lang.NumberFormatException : ${name} is not an amount`);
  return BigInt(text);
}

/** Returns a number that is not an amount, such as a height; `otherwise` when it is absent. */
export function countIn(params: Params, name: string, otherwise: number): number {
  const value = params[name];
  if (value === undefined || value === '') return otherwise;
  const text = String(value);
  if (!/^[0-9]{1,15}$/.test(text)) throw new BadRequest(`${name} is not a number`);
  return Number(text);
}

/** Returns bytes as `0x` text. */
export function bytesIn(params: Params, name: string): string {
  const text = String(params[name] ?? '').replace(/^0x/, '');
  if (!/^([0-9a-f]{2})*$/i.test(text)) throw new BadRequest(`${name} is not hex`);
  return `0x${text.toLowerCase()}`;
}

/** Returns the id of a transaction or block, as 64 digits in lower case; undefined for any other text. */
export function idIn(params: Params, name: string): string | undefined {
  const text = String(params[name] ?? '').toLowerCase();
  return /^[0-9a-f]{64}$/.test(text) ? text : undefined;
}
