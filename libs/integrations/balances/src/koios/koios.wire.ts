import { type Amount, nothing } from '../holding';
import { atomicText, listField, recordField, requireSame, WrongShape } from '../wire-fields';

// https://api.koios.rest/#post-/address_info,
// https://github.com/cardano-community/koios-artifacts/blob/main/specs/fragments/schemas/address.yaml

/** Lovelace in quotes. An address that was never used is missing from the list. */
export function readAddress(reply: unknown, address: string): Amount {
  const infos = listField(reply, 'reply');
  if (infos.length === 0) return nothing;
  if (infos.length > 1) throw new WrongShape('reply');
  const info = recordField(infos[0], 'reply[0]');
  requireSame(info['address'], address, 'address');
  return { amountAtomic: atomicText(info['balance'], 'balance') };
}
