import type { SwapBuildRequest } from '../swap-routes';
import { arbUsdc, baseUsdc } from './route-tokens';
import { sender } from './scripted-swaps';

/** A swap of 100 USDC on Base to Arbitrum, for the sender. */
export const aSwapBuildRequest = (changes: Partial<SwapBuildRequest> = {}): SwapBuildRequest => ({
  from: baseUsdc,
  to: arbUsdc,
  amountInAtomic: 100_000_000n,
  slippageBps: 50,
  sender,
  recipient: sender,
  deadline: new Date(Date.now() + 1_200_000),
  minAmountOutAtomic: 1n,
  ...changes,
});
