import { amountError, pegOf, type Chain, type Token } from '@tollbridge/chains';
import { amountForPrice, Decimal, hasMoved, maxTokenAmount, priceText } from '@tollbridge/money';
import type { FiatRate, FiatRateMissing } from './fiat-rate';

// More digits than any market needs. Both factors together would have up to sixty.
const significantDigits = 12;

/** A price in a currency of ISO 4217: decimal text in major units. */
export interface FiatPrice {
  amount: string;
  currency: string;
}

/** The exchange rate of a token and a currency at one time, in the field names of the API. */
export interface TokenRate {
  /** For example `USDC/EUR`. */
  pair: string;
  /** Units of the currency for one whole token, as a decimal text. */
  value: string;
  /** Names of the sources, separated by commas. */
  source: string;
  /** Time of the older of both readings, ISO 8601. */
  time: string;
}

export interface ConvertedPrice {
  /** In the smallest unit of the token. */
  amount: bigint;
  conversion: { price: FiatPrice; rate: TokenRate & { spread_bps: number } };
}

/** The chain and token that a price is converted to. */
export interface Place {
  chain: Chain;
  token: Token;
}

export interface ConversionParts {
  /** The last price of a token. It is held after a jump that no second source has confirmed. */
  tokenPrice(token: {
    chain: string;
    address: string | null;
  }): { usd: string; source: string | null; atMs: number; isHeld: boolean } | undefined;
  fiat: { of(currency: string): FiatRate | FiatRateMissing };
  /** A stablecoin within this distance of its peg is converted 1:1. With 0, it is converted at its market price. */
  pegBandBps: number;
  /** The errors of the app. `reason`: no source lists the pair, the last reading is too old, or it moved too far. */
  errors: {
    unavailable(pair: string, reason: FiatRateMissing['missing']): Error;
    invalid(message: string): Error;
  };
}

interface UsdPrice {
  usd: string;
  source: string;
  atMs: number;
}

/** Converts prices in currencies to amounts of tokens, with the last readings of both. Makes no external call. */
export class Conversions {
  constructor(private readonly parts: ConversionParts) {}

  /** @throws the error `unavailable` of the app */
  rateOf({ chain, token }: Place, currency: string): TokenRate {
    const pair = `${token.symbol}/${currency}`;
    const { fiat: rates, tokenPrice, errors } = this.parts;
    const fiat = rates.of(currency);
    if ('missing' in fiat) throw errors.unavailable(pair, fiat.missing);
    const kept = tokenPrice({ chain: chain.id, address: token.address });
    if (!kept) throw errors.unavailable(pair, 'stale');
    if (kept.isHeld) throw errors.unavailable(pair, 'moved');
    const price = this.pegged(token, { usd: kept.usd, source: kept.source ?? 'prices', atMs: kept.atMs });
    const value = Decimal.of(price.usd).times(Decimal.of(fiat.perUsd)).significantDown(significantDigits);
    if (value.isZero) throw errors.unavailable(pair, 'unknown');
    const isDollar = currency === 'USD';
    return {
      pair,
      value: value.text,
      source: isDollar ? price.source : `${price.source}, ${fiat.source}`,
      time: new Date(isDollar ? price.atMs : Math.min(price.atMs, fiat.atMs)).toISOString(),
    };
  }

  /**
   * The amount of a token for a price, rounded up to the smallest unit.
   * @param spreadBps what the payer pays above the price, in basis points
   * @throws the errors of the app: `unavailable`, or `invalid` for an amount that the token does not have
   */
  convert(price: FiatPrice, place: Place, spreadBps: number): ConvertedPrice {
    const rate = this.rateOf(place, price.currency);
    const { decimals } = place.token;
    const amount = amountForPrice({ amount: price.amount, rate: rate.value, spreadBps, decimals });
    const problem = amount > maxTokenAmount ? 'is too large' : amountError(place.chain, place.token, amount);
    if (problem) throw this.parts.errors.invalid(problem);
    const { currency } = price;
    const shown = { amount: priceText(price.amount, currency), currency };
    return { amount, conversion: { price: shown, rate: { ...rate, spread_bps: spreadBps } } };
  }

  /** Replaces the price of a stablecoin by its peg while the market is within the band. Off peg, the market decides. */
  private pegged(token: { symbol: string }, market: UsdPrice): UsdPrice {
    const { pegBandBps } = this.parts;
    const isOnPeg = pegOf(token) === 'USD' && pegBandBps > 0 && !hasMoved('1', market.usd, pegBandBps);
    return isOnPeg ? { ...market, usd: '1', source: `${market.source} (peg)` } : market;
  }
}
