import { mulDivCeil } from '@tollbridge/money';
import type { Market, MarketToken } from '../markets/market';
import { bestQuote, type SwapPath } from '../markets/uniswap';
import type { Priced } from '../oneclick/quote-maths';
import type { Price } from '../prices/price-table';
import { bridgeFee, type BridgeFee } from './bridge-fees';
import { SwapRefusal } from './swap-refusal';

export type CrossSwapType = 'bridgeableToBridgeable' | 'bridgeableToAny' | 'anyToBridgeable' | 'anyToAny';

/** Slippage is counted in these: one whole. */
export const wholeWad = 10n ** 18n;

export interface SwapTerms {
  origin: Market;
  destination: Market;
  input: MarketToken;
  output: MarketToken;
  amountInAtomic: bigint;
  slippageWad: bigint;
  prices: ReadonlyMap<string, Price>;
  /** Whether the recipient has code: WETH reaches it as WETH, and everybody else as the coin. */
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
  /** Below it the swap before the bridge reverts. */
  minAmountInAtomic: bigint;
  amountOutAtomic: bigint;
  /** For the least input; the contract raises it in proportion. */
  minAmountOutAtomic: bigint;
  fee: BridgeFee;
}

/** What happens to the bridged token at its destination, when more than its delivery. */
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

/** What is not bridged itself is swapped for this. */
const commonSymbol = 'USDC';

/** By which symbol a token is bridged as it is; undefined for those that are not. */
function bridgedAs({ address, symbol }: MarketToken, { chain }: Market): string | undefined {
  if (address === null) return chain.nativeSymbol === 'ETH' ? 'WETH' : undefined;
  return symbol === 'USDC' || symbol === 'WETH' ? symbol : undefined;
}

/** @throws SwapRefusal when there is no way, or the amount does not pay for it. */
export async function planSwap(terms: SwapTerms): Promise<SwapPlan> {
  const { origin, destination, input, output } = terms;
  const [inputAs, outputAs] = [bridgedAs(input, origin), bridgedAs(output, destination)];
  const symbol = outputAs ?? inputAs ?? commonSymbol;
  const [tokenIn, tokenOut] = [origin.bySymbol(symbol), destination.bySymbol(symbol)];
  if (!tokenIn || !tokenOut)
    throw new SwapRefusal('ROUTE_NOT_ENABLED', 'No bridge routes found for provided tokens');
  const isSwappedFirst = inputAs !== symbol;
  const isSwappedLast = outputAs !== symbol;
  // Where both ends are swapped, each may take half of the slippage.
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

/** The spoke pool unwraps WETH for whoever has no code, and for nobody else. */
function endingOf({ output, isToContract }: SwapTerms): Ending {
  if (output.address === null) return isToContract ? 'unwrap' : null;
  return output.symbol === 'WETH' && !isToContract ? 'wrap' : null;
}

/** A swap on one chain. @throws SwapRefusal when no pool gives anything. */
export async function planLeg(
  market: Market,
  tokenIn: MarketToken,
  tokenOut: MarketToken,
  amountInAtomic: bigint,
  slippageWad: bigint,
): Promise<PlannedLeg> {
  const [from, to] = [market.contractOf(tokenIn), market.contractOf(tokenOut)];
  const quote = await bestQuote(market, from, to, amountInAtomic);
  if (!quote) throw new SwapRefusal('SWAP_QUOTE_UNAVAILABLE', 'No possible route');
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
    throw new SwapRefusal(
      'AMOUNT_TOO_LOW',
      `Failed to fetch swap quote: Bridge amount ${least} is too low to cover bridge fees ${fee.totalAtomic}`,
    );
  // As the contract does it.
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
