import { mulDivCeil } from '@tollbridge/money';
import type { Market, MarketToken } from '../markets/market';
import { bestQuote, type SwapPath } from '../markets/uniswap';
import type { Priced } from '../oneclick/quote-maths';
import type { Price } from '../prices/price-table';
import { bridgeFee, type BridgeFee } from './bridge-fees';
import { SwapRejection } from './swap-rejection';

export type CrossSwapType = 'bridgeableToBridgeable' | 'bridgeableToAny' | 'anyToBridgeable' | 'anyToAny';

/** Denominator of slippage: 100 %. */
export const wholeWad = 10n ** 18n;

export interface SwapTerms {
  origin: Market;
  destination: Market;
  input: MarketToken;
  output: MarketToken;
  amountInAtomic: bigint;
  slippageWad: bigint;
  prices: ReadonlyMap<string, Price>;
  /** Whether the recipient is a contract: contracts receive WETH, other accounts the native coin. */
  isToContract: boolean;
}

export interface PlannedLeg {
  tokenIn: MarketToken;
  tokenOut: MarketToken;
  path: SwapPath;
  amountInAtomic: bigint;
  amountOutAtomic: bigint;
  minAmountOutAtomic: bigint;
}

export interface PlannedBridge {
  tokenIn: MarketToken;
  tokenOut: MarketToken;
  amountInAtomic: bigint;
  /** Minimum output of the swap before the bridge. With less, the swap reverts. */
  minAmountInAtomic: bigint;
  amountOutAtomic: bigint;
  /** Output for the minimum input. The contract increases it in proportion to the real input. */
  minAmountOutAtomic: bigint;
  fee: BridgeFee;
}

/** The call after the delivery of the bridged token on the destination. */
export type Ending = 'swap' | 'wrap' | 'unwrap' | null;

export interface SwapPlan extends SwapTerms {
  type: CrossSwapType;
  originSwap: PlannedLeg | null;
  bridge: PlannedBridge;
  destinationSwap: PlannedLeg | null;
  ending: Ending;
  amountOutAtomic: bigint;
  minAmountOutAtomic: bigint;
}

/** Other tokens are swapped to this token before the bridge. */
const commonSymbol = 'USDC';

/** Returns the symbol of a token that the bridge transfers directly; undefined for other tokens. */
function bridgedAs({ address, symbol }: MarketToken, { chain }: Market): string | undefined {
  if (address === null) return chain.nativeSymbol === 'ETH' ? 'WETH' : undefined;
  return symbol === 'USDC' || symbol === 'WETH' ? symbol : undefined;
}

/** @throws SwapRejection without a route, or when the amount does not cover the costs */
export async function planSwap(terms: SwapTerms): Promise<SwapPlan> {
  const { origin, destination, input, output } = terms;
  const [inputAs, outputAs] = [bridgedAs(input, origin), bridgedAs(output, destination)];
  const symbol = outputAs ?? inputAs ?? commonSymbol;
  const [tokenIn, tokenOut] = [origin.bySymbol(symbol), destination.bySymbol(symbol)];
  if (!tokenIn || !tokenOut)
    throw new SwapRejection('ROUTE_NOT_ENABLED', 'No bridge routes found for provided tokens');
  const isSwappedFirst = inputAs !== symbol;
  const isSwappedLast = outputAs !== symbol;
  // With swaps on both chains, each may use half of the slippage.
  const legSlippage = isSwappedFirst && isSwappedLast ? terms.slippageWad / 2n : terms.slippageWad;
  const ending = isSwappedLast ? 'swap' : endingOf(terms);
  const originSwap = isSwappedFirst
    ? await planLeg(origin, input, tokenIn, terms.amountInAtomic, legSlippage)
    : null;
  const bridge = planBridge(terms, { tokenIn, tokenOut, originSwap, hasCalls: ending !== null });
  const destinationSwap = isSwappedLast
    ? await planLeg(destination, tokenOut, output, bridge.amountOutAtomic, terms.slippageWad)
    : null;
  const type = isSwappedFirst
    ? isSwappedLast
      ? 'anyToAny'
      : 'anyToBridgeable'
    : isSwappedLast
      ? 'bridgeableToAny'
      : 'bridgeableToBridgeable';
  const { amountOutAtomic, minAmountOutAtomic } = destinationSwap ?? bridge;
  const amounts = { amountOutAtomic, minAmountOutAtomic };
  return { ...terms, type, originSwap, bridge, destinationSwap, ending, ...amounts };
}

/** The spoke pool unwraps WETH only for accounts without code. */
function endingOf({ output, isToContract }: SwapTerms): Ending {
  if (output.address === null) return isToContract ? 'unwrap' : null;
  return output.symbol === 'WETH' && !isToContract ? 'wrap' : null;
}

/** Plans a swap on one chain. @throws SwapRejection when no pool returns an output */
export async function planLeg(
  market: Market,
  tokenIn: MarketToken,
  tokenOut: MarketToken,
  amountInAtomic: bigint,
  slippageWad: bigint,
): Promise<PlannedLeg> {
  const [from, to] = [market.contractOf(tokenIn), market.contractOf(tokenOut)];
  const quote = await bestQuote(market, from, to, amountInAtomic);
  if (!quote) throw new SwapRejection('SWAP_QUOTE_UNAVAILABLE', 'No possible route');
  const { path, amountOutAtomic } = quote;
  const minAmountOutAtomic = amountOutAtomic - mulDivCeil(amountOutAtomic, slippageWad, wholeWad);
  return { tokenIn, tokenOut, path, amountInAtomic, amountOutAtomic, minAmountOutAtomic };
}

function planBridge(
  { amountInAtomic, prices }: SwapTerms,
  parts: { tokenIn: MarketToken; tokenOut: MarketToken; originSwap: PlannedLeg | null; hasCalls: boolean },
): PlannedBridge {
  const { tokenIn, tokenOut, originSwap, hasCalls } = parts;
  const bridged = originSwap?.amountOutAtomic ?? amountInAtomic;
  const least = originSwap?.minAmountOutAtomic ?? amountInAtomic;
  const fee = bridgeFee(least, pricedAs(tokenIn, prices), hasCalls);
  const minAmountOutAtomic = least - fee.totalAtomic;
  if (minAmountOutAtomic <= 0n)
    throw new SwapRejection(
      'AMOUNT_TOO_LOW',
      `Failed to fetch swap quote: Bridge amount ${least} is too low to cover bridge fees ${fee.totalAtomic}`,
    );
  // The contract computes the amount with the same formula.
  const amountOutAtomic = (minAmountOutAtomic * bridged) / least;
  return {
    tokenIn,
    tokenOut,
    amountInAtomic: bridged,
    minAmountInAtomic: least,
    amountOutAtomic,
    minAmountOutAtomic,
    fee: {
      ...fee,
      capitalAtomic: bridged - amountOutAtomic - fee.gasAtomic,
      totalAtomic: bridged - amountOutAtomic,
    },
  };
}

export function pricedAs({ decimals, symbol }: MarketToken, prices: ReadonlyMap<string, Price>): Priced {
  return { decimals, usd: prices.get(symbol)?.usd ?? '0' };
}
