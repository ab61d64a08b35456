import type { FieldError } from '@tollbridge/rpc';
import type { Decimal } from '@tollbridge/money';

/** The amounts on offer: a list, or a range. A bound is null when the provider publishes none. */
export interface Choice {
  fixed: readonly Decimal[];
  min: Decimal | null;
  max: Decimal | null;
}

// Keeps the error message readable.
const maxListed = 20;

/** Returns undefined for an amount on offer, otherwise the field error. */
export function validateAmount(
  field: string,
  amount: Decimal,
  { fixed, min, max }: Choice,
): FieldError | undefined {
  if (fixed.length > 0) {
    if (fixed.some((one) => one.compare(amount) === 0)) return undefined;
    const listed = fixed.slice(0, maxListed).map(({ text }) => text);
    const rest = fixed.length > maxListed ? ', …' : '';
    return { field, message: `must be one of ${listed.join(', ')}${rest}` };
  }
  // Neither a list nor a range: no amount can be validated.
  if (!min || !max) return { field, message: 'cannot be chosen: the provider publishes no range for it' };
  const isWithin = amount.compare(min) >= 0 && amount.compare(max) <= 0;
  return isWithin ? undefined : { field, message: `must be from ${min.text} to ${max.text}` };
}

// Budgets count millionths of a dollar.
const budgetDigits = 6;

/** Decimal dollars for the budget of a key; null for other currencies, which budgets do not count. */
export function valueUsd(amount: Decimal | null, currency: string | null): string | null {
  return amount && currency === 'USD' ? amount.roundedUp(budgetDigits).text : null;
}
