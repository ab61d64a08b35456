import { ceilDiv, feeCeil, formatUnits, mulDivCeil, mulDivFloor, parseUnits } from '@tollbridge/money';
import { usdDecimals } from '../prices/price-table';
import type { SwapType } from './wire';

// Prices as integers, dollars times 10^12, so that no digit is lost.
const usdScale = 10n ** BigInt(usdDecimals);
const wholeBps = 10_000n;
/** Spread of the market makers. */
export const spreadBps = 10;

export interface Priced {
  decimals: number;
  /** US dollars for one whole token, as a decimal string. */
  usd: string;
}

export interface SwapTerms {
  from: Priced;
  to: Priced;
  /** On the input side, on top of all fees. */
  appFeeBps: number;
  /** Cost of the delivery, in the smallest unit of the delivered token. */
  withdrawFeeAtomic: bigint;
}

export interface QuotedAmounts {
  amountInAtomic: bigint;
  minAmountInAtomic: bigint;
  amountOutAtomic: bigint;
  minAmountOutAtomic: bigint;
}

export const scaled = (usd: string): bigint => parseUnits(usd, usdDecimals);
const unit = (decimals: number): bigint => 10n ** BigInt(decimals);

/** Smallest input for exactly this output. Rounded up at every step. */
export function inputFor(outAtomic: bigint, { from, to, appFeeBps, withdrawFeeAtomic }: SwapTerms): bigint {
  const value = (outAtomic + withdrawFeeAtomic) * scaled(to.usd) * unit(from.decimals);
  const base = ceilDiv(value, scaled(from.usd) * unit(to.decimals));
  const withSpread = base + feeCeil(base, spreadBps);
  return withSpread + feeCeil(withSpread, appFeeBps);
}

/**
 * Largest output for this input: `inputFor` of it never exceeds the input. 0 when the input does not cover the
 * delivery.
 */
export function outputFor(inAtomic: bigint, { from, to, appFeeBps, withdrawFeeAtomic }: SwapTerms): bigint {
  const withoutFee = mulDivFloor(inAtomic, wholeBps, wholeBps + BigInt(appFeeBps));
  const withoutSpread = mulDivFloor(withoutFee, wholeBps, wholeBps + BigInt(spreadBps));
  const value = withoutSpread * scaled(from.usd) * unit(to.decimals);
  const out = value / (scaled(to.usd) * unit(from.decimals)) - withdrawFeeAtomic;
  return out > 0n ? out : 0n;
}

/** Amounts of a quote; `amountAtomic` is on the side that the swap type names. */
export function quotedAmounts(
  swapType: SwapType,
  amountAtomic: bigint,
  slippageBps: number,
  terms: SwapTerms,
): QuotedAmounts {
  if (swapType === 'EXACT_OUTPUT') {
    const least = inputFor(amountAtomic, terms);
    return {
      amountInAtomic: least + feeCeil(least, slippageBps),
      minAmountInAtomic: least,
      amountOutAtomic: amountAtomic,
      minAmountOutAtomic: amountAtomic,
    };
  }
  const isFlexible = swapType === 'FLEX_INPUT';
  const least = isFlexible ? amountAtomic - feeCeil(amountAtomic, slippageBps) : amountAtomic;
  const promised = outputFor(least, terms);
  return {
    amountInAtomic: amountAtomic,
    minAmountInAtomic: least,
    amountOutAtomic: outputFor(amountAtomic, terms),
    // The market may move by the slippage before execution.
    minAmountOutAtomic: promised - feeCeil(promised, slippageBps),
  };
}

/** Smallest amount of a token with this dollar value. */
export function amountWorth(usd: string, { decimals, usd: price }: Priced): bigint {
  return mulDivCeil(scaled(usd), unit(decimals), scaled(price));
}

/** Dollars with twelve decimals, as the provider writes them. */
export function usdText(amountAtomic: bigint, { decimals, usd }: Priced): string {
  const digits = (amountAtomic * scaled(usd)) / unit(decimals);
  return `${digits / usdScale}.${String(digits % usdScale).padStart(usdDecimals, '0')}`;
}

export function isWorthMore(amountAtomic: bigint, token: Priced, usd: string): boolean {
  return (amountAtomic * scaled(token.usd)) / unit(token.decimals) > scaled(usd);
}

export interface WrittenAmount {
  atomic: string;
  formatted: string;
  usd: string;
}

export function written(amountAtomic: bigint, token: Priced): WrittenAmount {
  return {
    atomic: String(amountAtomic),
    formatted: formatUnits(amountAtomic, token.decimals),
    usd: usdText(amountAtomic, token),
  };
}
