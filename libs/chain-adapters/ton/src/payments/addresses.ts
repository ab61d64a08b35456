import { canonicalAddress, type Chain } from '@tollbridge/chains';
import { rawAddressOf } from '../addresses';

/** How orders name TON's coin in place of a jetton's master, and the receiver of no fee: the address of no account. */
export const noAccount = 'EQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAM9c';

/** Raw form of a valid address. @throws Error */
export async function rawOf(address: string): Promise<string> {
  const raw = await rawAddressOf(address, { allowTestForm: true });
  if (raw === undefined) throw new Error(`${address} is not a TON address`);
  return raw;
}

/** Canonical form of a raw address; the raw form where it has none, as the address of no account. */
export function canonicalOf(chain: Chain, raw: string): string {
  const read = canonicalAddress(chain, raw);
  return read.ok ? read.address : raw;
}
