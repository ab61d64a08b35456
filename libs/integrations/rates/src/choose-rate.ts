import { Decimal } from '@tollbridge/money';
import type { FiatRate } from './fiat-rate';

const bpsPerWhole = Decimal.of('10000');

/** What is known of a currency at one time. */
export interface RateEvidence {
  /** The readings that are not too old, in order of preference; at least one. */
  fresh: readonly FiatRate[];
  /** Units of the currency for one dollar that were last agreed; undefined before the first agreement. */
  agreed: string | undefined;
}

/**
 * Returns the reading of the preferred source, if it can be trusted; else undefined. It is trusted when it is near the
 * agreed value, or near the reading of another source. A first reading needs no other source, but none may contradict.
 */
export function chooseRate({ fresh, agreed }: RateEvidence, maxMoveBps: number): FiatRate | undefined {
  const [preferred, ...others] = fresh;
  if (!preferred) return undefined;
  const isNear = (value: string): boolean => !hasMoved(value, preferred.perUsd, maxMoveBps);
  const isExpected = agreed === undefined ? others.length === 0 : isNear(agreed);
  return isExpected || others.some(({ perUsd }) => isNear(perUsd)) ? preferred : undefined;
}

/** Whether `to` differs from `from` by more than `maxMoveBps` basis points of `from`. */
function hasMoved(from: string, to: string, maxMoveBps: number): boolean {
  const [before, after] = [Decimal.of(from), Decimal.of(to)];
  // One of the differences is 0, because the subtraction ends at 0.
  const difference = after.minus(before).plus(before.minus(after));
  return difference.times(bpsPerWhole).compare(before.times(Decimal.of(String(maxMoveBps)))) > 0;
}
