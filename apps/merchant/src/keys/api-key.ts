import {
  keyRejectionMessages,
  type CreateKeyRequest,
  type KeyPlan,
  type KeyRate,
  type KeyRejection,
  type KeyView,
} from '@tollbridge/contracts';
import { DomainError, type FieldError, type Permission } from '@tollbridge/rpc';
import type { Environment } from '@tollbridge/config';
import { decimalNumber } from '@tollbridge/money';
import { microsOf } from '../budgets/usd-micros';

/** A stored API key, without its secret. */
export interface ApiKey {
  id: string;
  owner: string;
  label: string;
  /** The publishable half of the key. */
  key: string;
  permissions: Permission[];
  plan: KeyPlan;
  /** Replaces the rate of the plan; null without an individual rate. */
  customRate: KeyRate | null;
  environment: Environment;
  /** In US dollars as a decimal string; null means unlimited. */
  monthlyBudgetUsd: string | null;
  maxPerTxUsd: string | null;
  isEnabled: boolean;
  isDeleted: boolean;
}

/** The budgets of a key: US dollars as decimal strings; empty or absent means unlimited. */
export type KeyBudgetFields = Partial<Pick<CreateKeyRequest, 'monthlyBudget' | 'maxPerTx'>>;

/** An API key with the data that only its owner may see. */
export interface OwnKey extends ApiKey {
  /** The US dollars that are reserved and captured this month. */
  usedUsd: string;
  previousSecretUntilMs: number | null;
  createdAtMs: number;
}

/** The rate limit of each plan; null means unlimited. */
const planRates: Record<KeyPlan, KeyRate | null> = {
  free: { perMinute: 100, burst: 200 },
  pro: { perMinute: 1_000, burst: 2_000 },
  enterprise: null,
};

export function rateOf({ plan, customRate }: Pick<ApiKey, 'plan' | 'customRate'>): KeyRate | null {
  return customRate ?? planRates[plan];
}

/** The reason to reject a key; undefined for a valid key. */
export function keyRejection(
  { isEnabled, isDeleted, environment }: Pick<ApiKey, 'isEnabled' | 'isDeleted' | 'environment'>,
  here: Environment,
): KeyRejection | undefined {
  if (environment !== here) return 'foreign_environment';
  if (isDeleted) return 'deleted';
  return isEnabled ? undefined : 'disabled';
}

export function unauthorized(reason: KeyRejection): DomainError {
  return new DomainError('UNAUTHORIZED', keyRejectionMessages[reason], { details: { reason } });
}

/** A maximum per transaction above the monthly budget can never be reached, so it is rejected as a mistake. */
export function validateBudgets({ monthlyBudget, maxPerTx }: KeyBudgetFields): FieldError[] {
  if (!monthlyBudget || !maxPerTx || microsOf(maxPerTx) <= microsOf(monthlyBudget)) return [];
  return [{ field: 'maxPerTx', message: `must not be above monthlyBudget (${monthlyBudget})` }];
}

export function toKeyView(key: OwnKey, nowMs: number): KeyView {
  const until = key.previousSecretUntilMs;
  return {
    id: key.id,
    key: key.key,
    label: key.label,
    permissions: key.permissions,
    monthlyBudget: key.monthlyBudgetUsd ?? '',
    maxPerTx: key.maxPerTxUsd ?? '',
    enabled: key.isEnabled,
    usedBudget: decimalNumber(key.usedUsd),
    plan: key.plan,
    previousSecretValidUntil: until === null || until <= nowMs ? null : new Date(until).toISOString(),
    createdAt: new Date(key.createdAtMs).toISOString(),
  };
}
