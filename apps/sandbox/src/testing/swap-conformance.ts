import type { RouteToken, SwapBuildRequest, SwapRoutes } from '@tollbridge/routing';
import type { SwapWorld as ConformanceWorld } from '@tollbridge/routing-conformance';
import type { RunningSwapSimulators } from '../simulators/start-swap-simulators';
import { fresh, SwapWorld, type Side, type Symbol } from './swap-world';

export interface Pair {
  from: Symbol;
  to: Symbol;
  amountAtomic: bigint;
  isOnOneChain?: boolean;
}

const decimals: Record<Symbol, number> = { ETH: 18, WETH: 18, DAI: 18, USDC: 6, USDT: 6 };
const hourMs = 60 * 60_000;

let shared: Promise<SwapWorld> | undefined;

/** One for all suites of a test file, which closes it at its end. */
export const closeSwapWorld = async (): Promise<void> => (await shared)?.close();

/** A world in which an adapter's swaps are really sent. */
export async function openSwapWorld(
  pair: Pair,
  routesOf: (simulators: RunningSwapSimulators) => SwapRoutes,
): Promise<Required<ConformanceWorld>> {
  const world = await (shared ??= SwapWorld.start());
  const { base, arbitrum } = world;
  const destination = pair.isOnOneChain ? base : arbitrum;
  const token = (side: Side, symbol: Symbol): RouteToken => {
    const address = symbol === 'ETH' ? null : world.address(side, symbol);
    return { chain: side.chain.id, symbol, address, decimals: decimals[symbol] };
  };
  const sender = base.chain.payer.address;
  const request: SwapBuildRequest = {
    ...{ from: token(base, pair.from), to: token(destination, pair.to) },
    ...{ amountInAtomic: pair.amountAtomic, slippageBps: 50, sender, recipient: sender },
    ...{ deadline: new Date(Date.now() + hourMs), minAmountOutAtomic: 1n },
  };
  return {
    routes: routesOf(world.simulators),
    request,
    otherRecipient: fresh(),
    async send({ recipient }, { spender, transaction }) {
      if (spender !== null) await world.approve(pair.from, spender);
      const before = await world.balance(destination, pair.to, recipient);
      const { to, data, valueAtomic } = transaction;
      const txHash = await world.send({ to, data, value: String(valueAtomic) });
      // Coin that the sender gets on his own chain has to be told from the gas that he paid there.
      const isOwn = pair.to === 'ETH' && destination === base && recipient === sender;
      const paid = isOwn ? await world.gasPaid(txHash) : 0n;
      return {
        txHash,
        receivedAtomic: async () => (await world.balance(destination, pair.to, recipient)) - before + paid,
      };
    },
    close: () => Promise.resolve(),
  };
}
