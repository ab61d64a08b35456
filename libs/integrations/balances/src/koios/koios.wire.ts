import { UnreadableReply, readAmount, readFields, readList } from '@tollbridge/http';
import { type Amount, nothing } from '../holding';
import { requireSame } from '../wire-fields';

// https://api.koios.rest/#post-/address_info,
// https://github.com/cardano-community/koios-artifacts/blob/main/specs/fragments/schemas/address.yaml

/** Parses lovelace in quotes. The list does not contain an unused address. */
export function readAddress(reply: unknown, address: string): Amount {
  const infos = readList(reply, 'reply');
  if (infos.length === 0) return nothing;
  if (infos.length > 1) throw new UnreadableReply('reply is malformed');
  const info = readFields(infos[0], 'reply[0]');
  requireSame(info['address'], address, 'address');
  return { amountAtomic: readAmount(info['balance'], 'balance') };
}
