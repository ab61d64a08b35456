import type { BuiltSwap } from '@tollbridge/routing';
import { MaxUint256 } from 'ethers';
import { formatUnits } from '@tollbridge/money';
import type { RouteToken } from '@tollbridge/routing';
import { erc20 } from '../../chains/erc20';
import type { Call } from '@tollbridge/evm';

/** A swap of a group. The swaps of a group have one signer and one chain, in the order of their nonces. */
export interface GroupItem {
  from: RouteToken;
  to: RouteToken;
  amountInAtomic: bigint;
  recipient: string;
  swap: BuiltSwap;
  skipApprovals: boolean;
}

export interface PlannedCall extends Call {
  /** Index in the group of the item that it belongs to. */
  item: number;
  type: 'approval' | 'swap';
  description: string;
  /** The number of approvals that it replaces, compared with building each swap alone. */
  standsFor: number;
}

/** Allowances by token and spender. */
export interface Allowances {
  of(token: string, spender: string): bigint;
  /** Whether the token rejects a change of a non-zero allowance, as USDT on Ethereum does. */
  needsReset(token: string, spender: string): boolean;
}

export interface GroupPlan {
  calls: PlannedCall[];
  /** Items with `skipApprovals` and with an insufficient allowance. */
  short: { item: number; required: bigint; available: bigint }[];
}

/**
 * Plans approvals before the swaps that need them. Each token and spender gets one approval of the exact amount that
 * the group spends. An allowance that is high enough needs no approval.
 */
export function planGroup(items: readonly GroupItem[], allowances: Allowances): GroupPlan {
  const calls: PlannedCall[] = [];
  const short: GroupPlan['short'] = [];
  const left = new Map<string, { together: bigint; alone: bigint; approval?: PlannedCall }>();
  items.forEach((item, index) => {
    const { from, amountInAtomic, swap, skipApprovals } = item;
    const { spender, transaction } = swap;
    if (spender !== null && from.address !== null) {
      const key = `${from.address}:${spender}`;
      const allowance = allowances.of(from.address, spender);
      const now = left.get(key) ?? { together: allowance, alone: allowance };
      const isAloneShort = now.alone < amountInAtomic;
      if (now.together < amountInAtomic) {
        if (skipApprovals) short.push({ item: index, required: amountInAtomic, available: now.together });
        else {
          const total = items
            .slice(index)
            .filter((it) => it.from.address === from.address && it.swap.spender === spender)
            .reduce((sum, it) => sum + it.amountInAtomic, 0n);
          const mustReset = now.together > 0n && allowances.needsReset(from.address, spender);
          calls.push(...approvals(item, index, spender, total, mustReset));
          [now.together, now.approval] = [total, calls.at(-1)!];
        }
      }
      if (isAloneShort && now.approval) now.approval.standsFor++;
      // Many tokens do not decrease an unlimited allowance.
      const spend = (allowed: bigint) =>
        allowed === MaxUint256 || allowed < amountInAtomic ? allowed : allowed - amountInAtomic;
      left.set(key, {
        ...now,
        together: spend(now.together),
        alone: isAloneShort ? 0n : spend(now.alone),
      });
    }
    const { to, data, valueAtomic } = transaction;
    const description = swapText(item);
    calls.push({ item: index, type: 'swap', to, data, valueAtomic, description, standsFor: 0 });
  });
  return { calls, short };
}

function approvals(
  { from }: GroupItem,
  item: number,
  spender: string,
  amountAtomic: bigint,
  mustReset: boolean,
): PlannedCall[] {
  const approve = (amount: bigint, description: string): PlannedCall => {
    const data = erc20.encodeFunctionData('approve', [spender, amount]);
    return { item, type: 'approval', to: from.address!, data, valueAtomic: 0n, description, standsFor: 0 };
  };
  const shown = `${formatUnits(amountAtomic, from.decimals)} ${from.symbol}`;
  const allow = approve(amountAtomic, `Allow ${shown} to be taken for the swap`);
  return mustReset
    ? [approve(0n, `Withdraw the allowance of ${from.symbol} that is left from before`), allow]
    : [allow];
}

function swapText({ from, to, amountInAtomic, swap }: GroupItem): string {
  const given = `${formatUnits(amountInAtomic, from.decimals)} ${from.symbol}`;
  const least = `${formatUnits(swap.quote.minAmountOutAtomic, to.decimals)} ${to.symbol}`;
  const where = from.chain === to.chain ? '' : ` on ${to.chain}`;
  return `Swap ${given} for at least ${least}${where}`;
}
