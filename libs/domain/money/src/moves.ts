import { Decimal } from './decimal';
import { bpsPerWhole } from './rounding';

/** Whether `to` differs from `from` by more than `bps` basis points of `from`. Both are decimal texts above 0. */
export function hasMoved(from: string, to: string, bps: number): boolean {
  const [before, after] = [Decimal.of(from), Decimal.of(to)];
  const difference = before.minus(after).plus(after.minus(before));
  const bound = before.times(Decimal.of(String(bps)));
  return difference.times(Decimal.of(String(bpsPerWhole))).compare(bound) > 0;
}
