import {
  keyRejectionMessages,
  type CreateKeyRequest,
  type KeyPlan,
  type KeyRate,
  type KeyRejection,
  type KeyView,
} from '@tollbridge/contracts';
import {
  DomainError,
  permissions as allPermissions,
  type FieldError,
  type Permission,
} from '@tollbridge/rpc';
import type { Environment } from '@tollbridge/config';
import { decimalNumber } from '@tollbridge/money';
import { microsOf } from '../budgets/budget';

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

/** What an owner bounds a key by: decimal dollars; empty or absent is no bound. */
export type KeyBounds = Partial<Pick<CreateKeyRequest, 'monthlyBudget' | 'maxPerTx'>>;

/** A key as its owner sees it. */
export interface OwnKey extends ApiKey {
  /** Dollars that it has spent and reserved this month. */
  usedUsd: string;
  previousSecretUntilMs: number | null;
  createdAtMs: number;
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
): KeyRejection | undefined {
  if (environment !== here) return 'foreign_environment';
  if (isDeleted) return 'deleted';
  return isEnabled ? undefined : 'disabled';
}

export function refused(reason: KeyRejection): DomainError {
  return new DomainError('UNAUTHORIZED', keyRejectionMessages[reason], { details: { reason } });
}

/** What a class cannot say of permissions that are asked for. */
export function problemsOfPermissions(given: readonly string[] | undefined): FieldError[] {
  const problem = (message: string): FieldError[] => [{ field: 'permissions', message }];
  if (given === undefined) return [];
  if (given.length === 0) return problem('must name at least one');
  if (given.some((permission) => !(allPermissions as readonly string[]).includes(permission)))
    return problem(`must be among ${allPermissions.join(', ')}`);
  return new Set(given).size < given.length ? problem('must name each only once') : [];
}

/** A payment above the budget of a whole month is never possible: one of the two bounds is a mistake. */
export function problemsOfBounds({ monthlyBudget, maxPerTx }: KeyBounds): FieldError[] {
  if (!monthlyBudget || !maxPerTx || microsOf(maxPerTx) <= microsOf(monthlyBudget)) return [];
  return [{ field: 'maxPerTx', message: `must not be above monthlyBudget (${monthlyBudget})` }];
}

export function viewOf(key: OwnKey, nowMs: number): KeyView {
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
