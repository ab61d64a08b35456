import { bridgeFees, wireToken } from './fees';
import { wholeWad, type PlannedLeg, type SwapPlan } from './plan-swap';
import type { SwapApproval, SwapStep } from './wire';

/** Steps and tokens of a quote. */
export function describePlan(
  plan: SwapPlan,
): Pick<SwapApproval, 'steps' | 'inputToken' | 'outputToken' | 'refundToken'> {
  const { bridge, originSwap, destinationSwap, slippageWad } = plan;
  const slippage = Number(slippageWad) / Number(wholeWad);
  return {
    steps: {
      ...(originSwap && { originSwap: step(originSwap, slippage) }),
      bridge: {
        inputAmount: String(bridge.amountInAtomic),
        outputAmount: String(bridge.amountOutAtomic),
        tokenIn: wireToken(bridge.tokenIn),
        tokenOut: wireToken(bridge.tokenOut),
        fees: bridgeFees(plan),
        provider: 'across',
      },
      ...(destinationSwap && { destinationSwap: step(destinationSwap, slippage) }),
    },
    inputToken: wireToken(plan.input),
    outputToken: wireToken(plan.output),
    refundToken: wireToken(bridge.tokenIn),
  };
}

function step(leg: PlannedLeg, slippage: number): SwapStep {
  return {
    tokenIn: wireToken(leg.tokenIn),
    tokenOut: wireToken(leg.tokenOut),
    inputAmount: String(leg.amountInAtomic),
    outputAmount: String(leg.amountOutAtomic),
    minOutputAmount: String(leg.minAmountOutAtomic),
    maxInputAmount: String(leg.amountInAtomic),
    swapProvider: { name: 'uniswap', sources: ['uniswap_v3'] },
    slippage,
  };
}
