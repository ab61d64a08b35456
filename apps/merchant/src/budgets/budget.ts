import { DomainError } from '@tollbridge/rpc';
import { Decimal, usdText } from '@tollbridge/money';
import type { ApiKey } from '../keys/api-key';

/** A key in one month: what it may spend, and what it has spent. Dollars are counted in millionths. */
export interface KeyMonth extends Pick<
  ApiKey,
  'owner' | 'label' | 'environment' | 'isEnabled' | 'isDeleted' | 'monthlyBudgetUsd' | 'maxPerTxUsd'
> {
  keyId: string;
  /** `2026-11` */
  month: string;
  usedMicros: bigint;
  /** What the owner was told already. */
  isWarned: boolean;
  isReached: boolean;
}

const decimals = 6;
const warnedAtPercent = 80n;

/** Dollars in millionths, rounded down, which makes a limit narrower. */
export const microsOf = (usd: string): bigint => Decimal.of(usd).toAtomicDown(decimals);

export const usdOf = (micros: bigint): string => usdText(Decimal.fromAtomic(micros, decimals));

/** The month (UTC) that something counts in. */
export function monthOf(nowMs: number): string {
  return new Date(nowMs).toISOString().slice(0, 7);
}

/** Why a key must not spend so much now; undefined when it may. */
export function excessOf(key: KeyMonth, valueMicros: bigint | null): DomainError | undefined {
  const [maxPerTx, monthlyBudget] = [key.maxPerTxUsd, key.monthlyBudgetUsd];
  if (maxPerTx === null && monthlyBudget === null) return undefined;
  if (valueMicros === null)
    return new DomainError(
      'UPSTREAM_UNAVAILABLE',
      'The API key has a budget, and this payment has no known dollar value at present. Retry later, or use a key without a budget.',
      { details: { reason: 'price_unknown' } },
    );
  const details = (limit: string) => ({
    limit: usdOf(microsOf(limit)),
    used: usdOf(key.usedMicros),
    requested: usdOf(valueMicros),
  });
  if (maxPerTx !== null && valueMicros > microsOf(maxPerTx))
    return new DomainError('MAX_PER_TX_EXCEEDED', undefined, { details: details(maxPerTx) });
  if (monthlyBudget !== null && key.usedMicros + valueMicros > microsOf(monthlyBudget))
    return new DomainError('BUDGET_EXCEEDED', undefined, { details: details(monthlyBudget) });
  return undefined;
}

export type BudgetNews = 'key-budget-warning' | 'key-budget-reached';

/** What the owner has to be told of, and was not yet this month. */
export function newsOf(key: KeyMonth): BudgetNews[] {
  const percent = percentOf(key);
  if (percent === undefined) return [];
  return [
    ...(percent >= warnedAtPercent && !key.isWarned ? (['key-budget-warning'] as const) : []),
    ...(percent >= 100n && !key.isReached ? (['key-budget-reached'] as const) : []),
  ];
}

/** How much of the budget is used up, rounded down; undefined without one, or with none to use up. */
export function percentOf({ monthlyBudgetUsd, usedMicros }: KeyMonth): bigint | undefined {
  const budget = monthlyBudgetUsd === null ? 0n : microsOf(monthlyBudgetUsd);
  return budget === 0n ? undefined : (usedMicros * 100n) / budget;
}
