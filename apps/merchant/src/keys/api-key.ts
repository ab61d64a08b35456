import type { KeyPlan, KeyRate, KeyRefusal } from '@tollbridge/api';
import type { Permission } from '@tollbridge/bus';
import type { Environment } from '@tollbridge/config';

/** A key as it is stored, but for its secret. */
export interface ApiKey {
  id: string;
  owner: string;
  label: string;
  /** The publishable half. */
  key: string;
  permissions: Permission[];
  plan: KeyPlan;
  /** Instead of the plan's own numbers. */
  customRate: KeyRate | null;
  environment: Environment;
  /** Decimal dollars; null is no bound. */
  monthlyBudgetUsd: string | null;
  maxPerTxUsd: string | null;
  isEnabled: boolean;
  isDeleted: boolean;
}

/** What each plan allows; null is no limit. */
const planRates: Record<KeyPlan, KeyRate | null> = {
  free: { perMinute: 100, burst: 200 },
  pro: { perMinute: 1_000, burst: 2_000 },
  enterprise: null,
};

export function rateOf({ plan, customRate }: Pick<ApiKey, 'plan' | 'customRate'>): KeyRate | null {
  return customRate ?? planRates[plan];
}

/** Why a key that was found is not taken; undefined when it is. */
export function refusalOf(
  { isEnabled, isDeleted, environment }: Pick<ApiKey, 'isEnabled' | 'isDeleted' | 'environment'>,
  here: Environment,
): KeyRefusal | undefined {
  if (environment !== here) return 'foreign_environment';
  if (isDeleted) return 'deleted';
  return isEnabled ? undefined : 'disabled';
}
