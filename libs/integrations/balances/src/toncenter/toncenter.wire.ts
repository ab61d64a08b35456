import { UnreadableReply, readAmount, readFields, readList, readText } from '@tollbridge/http';
import { canonicalAddress, type Chain } from '@tollbridge/chains';
import { requireSame } from '../wire-fields';

// https://toncenter.com/api/v2/ getAddressBalance, https://toncenter.com/api/v3/index.html /jetton/wallets

/** Parses nanotons in quotes; "0" for an unused account. */
export function readCoin(reply: unknown): bigint {
  const envelope = readFields(reply, 'reply');
  requireSame(envelope['ok'], true, 'ok');
  return readAmount(envelope['result'], 'result');
}

/** Returns balances by jetton master in canonical form. Toncenter returns raw addresses (`0:…`). */
export function readJettons(reply: unknown, chain: Chain, owner: string): Map<string, bigint> {
  const wallets = readList(readFields(reply, 'reply')['jetton_wallets'], 'jetton_wallets');
  const amounts = new Map<string, bigint>();
  for (const value of wallets) {
    const wallet = readFields(value, 'jetton_wallets[]');
    requireSame(spelling(chain, wallet['owner'], 'owner'), spelling(chain, owner, 'owner'), 'owner');
    const jetton = spelling(chain, wallet['jetton'], 'jetton');
    amounts.set(jetton, (amounts.get(jetton) ?? 0n) + readAmount(wallet['balance'], 'balance'));
  }
  return amounts;
}

/** Converts any of TON's notations of an account to the canonical form. */
export function spelling(chain: Chain, address: unknown, field: string): string {
  const read = canonicalAddress(chain, readText(address, field));
  if (!read.ok) throw new UnreadableReply(`${field} is malformed`);
  return read.address;
}
