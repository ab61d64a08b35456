import { hasMoved } from '@tollbridge/money';
import type { FiatRate } from './fiat-rate';

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
