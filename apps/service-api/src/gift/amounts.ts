import type { FieldError } from '@tollbridge/rpc';
import type { Decimal } from './decimal';

/** What can be asked for: one of a list, or anything within bounds; null where that is not told. */
export interface Choice {
  fixed: readonly Decimal[];
  min: Decimal | null;
  max: Decimal | null;
}

// What a person still reads.
const shownAtMost = 20;

/** What is wrong with an amount; undefined when it is one that can be chosen. */
export function problemOf(
  field: string,
  amount: Decimal,
  { fixed, min, max }: Choice,
): FieldError | undefined {
  if (fixed.length > 0) {
    if (fixed.some((one) => one.compare(amount) === 0)) return undefined;
    const shown = fixed.slice(0, shownAtMost).map(({ text }) => text);
    const rest = fixed.length > shownAtMost ? ', …' : '';
    return { field, message: `must be one of ${shown.join(', ')}${rest}` };
  }
  // Neither a list nor bounds: the provider would have to guess, and so would we.
  if (!min || !max) return { field, message: 'cannot be chosen: the provider publishes no range for it' };
  const isWithin = amount.compare(min) >= 0 && amount.compare(max) <= 0;
  return isWithin ? undefined : { field, message: `must be from ${min.text} to ${max.text}` };
}

// Budgets count millionths of a dollar.
const budgetDigits = 6;

/** For the budget of a key: only dollars are counted there. */
export function valueUsd(amount: Decimal | null, currency: string | null): string | null {
  return amount && currency === 'USD' ? amount.roundedUp(budgetDigits).text : null;
}
