import type { BuiltSwap } from '@tollbridge/routing';
import { aSwapQuote } from '@tollbridge/routing/testing';
import { oneChain, router, usdc, usdt, user } from '../../../testing/sample-set';
import type { GroupItem } from '../plan-group';

/** A swap of the router with a quoted output of 99 units. */
export const aBuiltSwap = (changes: Partial<BuiltSwap> = {}): BuiltSwap => ({
  spender: router,
  transaction: { to: router, data: '0xABCD', valueAtomic: 0n, gasUnits: null },
  quote: aSwapQuote({ amountOutAtomic: 99n, minAmountOutAtomic: 98n, steps: oneChain }),
  validUntil: null,
  ...changes,
});

/** A swap of 100 units of USDT for USDC. */
export const aGroupItem = (changes: Partial<GroupItem> = {}): GroupItem => ({
  from: usdt,
  to: usdc,
  amountInAtomic: 100n,
  recipient: user,
  swap: aBuiltSwap(),
  skipApprovals: false,
  ...changes,
});
