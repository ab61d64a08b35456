import type { RouteToken, SwapBuildRequest, SwapRoutes } from '@tollbridge/routing';
import type { SwapHarness as ConformanceHarness } from '@tollbridge/routing-conformance';
import type { RunningSwapSimulators } from '../simulators/start-swap-simulators';
import { fresh, SwapHarness, type Side, type Symbol } from './swap-harness';

export interface Pair {
  from: Symbol;
  to: Symbol;
  amountAtomic: bigint;
  isOnOneChain?: boolean;
}

const decimals: Record<Symbol, number> = { ETH: 18, WETH: 18, DAI: 18, USDC: 6, USDT: 6 };
const hourMs = 60 * 60_000;

let shared: Promise<SwapHarness> | undefined;

/** Closes the harness that all suites of a test file share. */
export const closeSwapHarness = async (): Promise<void> => (await shared)?.close();

/** Opens a harness that executes the swaps of an adapter with real transactions. */
export async function openSwapHarness(
  pair: Pair,
  routesOf: (simulators: RunningSwapSimulators) => SwapRoutes,
): Promise<Required<ConformanceHarness>> {
  const harness = await (shared ??= SwapHarness.start());
  const { base, arbitrum } = harness;
  const destination = pair.isOnOneChain ? base : arbitrum;
  const token = (side: Side, symbol: Symbol): RouteToken => {
    const address = symbol === 'ETH' ? null : harness.address(side, symbol);
    return { chain: side.chain.id, symbol, address, decimals: decimals[symbol] };
  };
  const sender = base.chain.payer.address;
  const request: SwapBuildRequest = {
    from: token(base, pair.from),
    to: token(destination, pair.to),
    amountInAtomic: pair.amountAtomic,
    slippageBps: 50,
    sender,
    recipient: sender,
    deadline: new Date(Date.now() + hourMs),
    minAmountOutAtomic: 1n,
  };
  return {
    routes: routesOf(harness.simulators),
    request,
    otherRecipient: fresh(),
    async send({ recipient }, { spender, transaction }) {
      if (spender !== null) await harness.approve(pair.from, spender);
      const before = await harness.balance(destination, pair.to, recipient);
      const { to, data, valueAtomic } = transaction;
      const txHash = await harness.send({ to, data, value: String(valueAtomic) });
      // If the sender receives coins on the same chain, they must be separated from the gas that the sender paid.
      const isOwn = pair.to === 'ETH' && destination === base && recipient === sender;
      const paid = isOwn ? await harness.gasPaid(txHash) : 0n;
      return {
        txHash,
        receivedAtomic: async () => (await harness.balance(destination, pair.to, recipient)) - before + paid,
      };
    },
    close: () => Promise.resolve(),
  };
}
