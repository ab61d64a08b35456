import { DomainError } from '@tollbridge/rpc';
import { ZeroAddress } from 'ethers';
import type { Ground } from './group-ground';
import type { GroupRequest, ItemFailure } from './group-request';
import type { GroupItem } from './plan-group';

/** Finds the first item that the signer's native coins do not cover, after the items before it. */
export function coinShortage(
  { chain: { chainId } }: GroupRequest,
  items: readonly GroupItem[],
  { coinAtomic }: Ground,
  costOf: (item: number) => bigint,
): ItemFailure | undefined {
  let [required, available] = [0n, coinAtomic];
  for (const [item, swap] of items.entries()) {
    required += costOf(item);
    if (required > available) {
      const what = 'native coins, gas included';
      return { item, error: balanceError(chainId, ZeroAddress, required, available, what) };
    }
    available += broughtIn(swap, null);
  }
  return undefined;
}

/** Finds the first item that the signer's token balance does not cover, after the items before it. */
export function tokenShortage(
  { chain: { chainId } }: GroupRequest,
  items: readonly GroupItem[],
  { balances }: Ground,
): ItemFailure | undefined {
  for (const [item, { from }] of items.entries()) {
    const { address, symbol } = from;
    if (address === null) continue;
    const before = items.slice(0, item);
    const required = [...before, items[item]!].reduce(
      (sum, it) => (it.from.address === address ? sum + it.amountInAtomic : sum),
      0n,
    );
    const available = before.reduce((sum, it) => sum + broughtIn(it, address), balances.get(address) ?? 0n);
    if (required > available)
      return { item, error: balanceError(chainId, address, required, available, symbol) };
  }
  return undefined;
}

/** The amount that an item adds to the signer's balance. Cross-chain swaps deliver on another chain. */
const broughtIn = ({ from, to, swap }: GroupItem, address: string | null): bigint =>
  to.chain === from.chain && to.address === address ? swap.quote.amountOutAtomic : 0n;

function balanceError(
  chainId: number,
  token: string,
  required: bigint,
  available: bigint,
  what: string,
): DomainError {
  const details = { chainId, token, required: String(required), available: String(available) };
  const message = `The balance of the signer is too low (${what}): ${required} needed, ${available} available.`;
  return new DomainError('INSUFFICIENT_BALANCE', message, { details });
}

export function allowanceError(
  { chain: { chainId } }: GroupRequest,
  { from, swap }: GroupItem,
  { required, available }: { required: bigint; available: bigint },
): DomainError {
  return new DomainError('INSUFFICIENT_ALLOWANCE', undefined, {
    details: {
      chainId,
      token: from.address,
      spender: swap.spender,
      required: String(required),
      available: String(available),
    },
  });
}
