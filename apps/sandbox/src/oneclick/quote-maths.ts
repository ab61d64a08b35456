import { ceilDiv, feeCeil, formatUnits, mulDivCeil, mulDivFloor, parseUnits } from '@tollbridge/money';
import { usdDecimals } from '../prices/price-table';
import type { SwapType } from './wire';

// Prices as integers in units of 10^-12 dollars, so that no digit is lost.
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
  /** Charged on the input, in addition to all fees. */
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

/** Returns the minimum input for exactly this output. Each step rounds up. */
export function inputFor(outAtomic: bigint, { from, to, appFeeBps, withdrawFeeAtomic }: SwapTerms): bigint {
  const value = (outAtomic + withdrawFeeAtomic) * scaled(to.usd) * unit(from.decimals);
  const base = ceilDiv(value, scaled(from.usd) * unit(to.decimals));
  const withSpread = base + feeCeil(base, spreadBps);
  return withSpread + feeCeil(withSpread, appFeeBps);
}

/**
 * Returns the maximum output for this input, so that `inputFor` of it never exceeds the input. 0 when the input does
 * not cover the delivery.
 */
export function outputFor(inAtomic: bigint, { from, to, appFeeBps, withdrawFeeAtomic }: SwapTerms): bigint {
  const withoutFee = mulDivFloor(inAtomic, wholeBps, wholeBps + BigInt(appFeeBps));
  const withoutSpread = mulDivFloor(withoutFee, wholeBps, wholeBps + BigInt(spreadBps));
  const value = withoutSpread * scaled(from.usd) * unit(to.decimals);
  const out = value / (scaled(to.usd) * unit(from.decimals)) - withdrawFeeAtomic;
  return out > 0n ? out : 0n;
}

/** Returns the amounts of a quote. `amountAtomic` is the input or the output, depending on the swap type. */
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
    // The market may move by the slippage before the execution.
    minAmountOutAtomic: promised - feeCeil(promised, slippageBps),
  };
}

/** Returns the minimum amount of a token with this dollar value. */
export function amountWorth(usd: string, { decimals, usd: price }: Priced): bigint {
  return mulDivCeil(scaled(usd), unit(decimals), scaled(price));
}

/** Formats dollars with twelve decimals, like the provider. */
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
