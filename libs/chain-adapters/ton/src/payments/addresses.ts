import { canonicalAddress, type Chain } from '@tollbridge/chains';
import { rawAddressOf } from '../addresses';

/**
 * The zero address, which is not an account. Orders use it for TON's coin, and as the fee receiver of an order without
 * a fee.
 */
export const noAccount = 'EQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAM9c';

/** Returns the raw form of a valid address. @throws Error for an invalid address */
export async function rawOf(address: string): Promise<string> {
  const raw = await rawAddressOf(address, { allowTestForm: true });
  if (raw === undefined) throw new Error(`${address} is not a TON address`);
  return raw;
}

/**
 * Returns the canonical form of a raw address. Returns the raw form of an address without a canonical
 * form, such as `noAccount`.
 */
export function canonicalOf(chain: Chain, raw: string): string {
  const read = canonicalAddress(chain, raw);
  return read.ok ? read.address : raw;
}
