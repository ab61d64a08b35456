import { DomainError } from '@tollbridge/rpc';
import type { ApiKey } from '../keys/api-key';
import { microsOf, usdOf } from './usd-micros';

/** The budget of a key and its used part in one month. Amounts are in millionths of a US dollar. */
export interface KeyMonth extends Pick<
  ApiKey,
  'owner' | 'label' | 'environment' | 'isEnabled' | 'isDeleted' | 'monthlyBudgetUsd' | 'maxPerTxUsd'
> {
  keyId: string;
  /** UTC, for example `2026-11`. */
  month: string;
  usedMicros: bigint;
  /** Whether the event of each threshold was published this month. */
  isWarned: boolean;
  isReached: boolean;
}

const warnedAtPercent = 80n;

/** The month (UTC) of a time, for example `2026-11`. */
export function monthOf(nowMs: number): string {
  return new Date(nowMs).toISOString().slice(0, 7);
}

/** The error for a reservation that exceeds a limit of the key; undefined when it is within all limits. */
export function budgetError(key: KeyMonth, valueMicros: bigint | null): DomainError | undefined {
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

export type BudgetThreshold = 'key-budget-warning' | 'key-budget-reached';

/** The thresholds that the key has reached this month and that have no published event yet. */
export function thresholdsReached(key: KeyMonth): BudgetThreshold[] {
  const percent = percentOf(key);
  if (percent === undefined) return [];
  return [
    ...(percent >= warnedAtPercent && !key.isWarned ? (['key-budget-warning'] as const) : []),
    ...(percent >= 100n && !key.isReached ? (['key-budget-reached'] as const) : []),
  ];
}

/**
 * The used part of the monthly budget in percent, rounded down; undefined without a budget or with a budget of zero.
 */
export function percentOf({ monthlyBudgetUsd, usedMicros }: KeyMonth): bigint | undefined {
  const budget = monthlyBudgetUsd === null ? 0n : microsOf(monthlyBudgetUsd);
  return budget === 0n ? undefined : (usedMicros * 100n) / budget;
}
