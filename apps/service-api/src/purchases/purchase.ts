import type { PurchaseStatus } from '@tollbridge/contracts';
import type { ErrorCode } from '@tollbridge/rpc';

/** One purchase from a provider. */
export interface Purchase {
  id: string;
  wallet: string;
  keyId: string | null;
  /** Which `PurchaseKind` buys it, such as `gift-card`. */
  kind: string;
  /** The buyer's own reference. */
  reference: string;
  terms: Record<string, unknown>;
  status: PurchaseStatus;
  /** The provider's name; null for a number rented before names were stored. */
  provider: string | null;
  /** The provider's id of the purchase. */
  providerId: string | null;
  result: Record<string, unknown> | null;
  refusal: Rejection | null;
  /** Decimal dollars; null when unknown. */
  valueUsd: string | null;
  checks: number;
  version: number;
  createdAtMs: number;
  updatedAtMs: number;
}

/** The error that the buyer received: nothing was bought. */
export interface Rejection {
  code: ErrorCode;
  message: string;
  details?: unknown;
}

/** The state of a purchase at its provider. */
export interface Progress<Result extends object = object> {
  status: 'pending' | 'completed' | 'failed' | 'refunded';
  /** The provider's id of the purchase. */
  providerId: string | null;
  /** Stored as it is, so it must hold no code and no card number. Without it, the stored result stays. */
  result?: Result;
  /** The final cost in decimal dollars, when the provider reports one. */
  valueUsd?: string;
}

const finalStatuses: readonly PurchaseStatus[] = ['completed', 'failed', 'refunded', 'refused'];

/** Whether the status is final. */
export const hasEnded = (status: PurchaseStatus): boolean => finalStatuses.includes(status);

/** Whether the purchase costs money, or may still. */
export const isSpent = (status: PurchaseStatus): boolean =>
  !['failed', 'refunded', 'refused'].includes(status);

const firstCheckMs = 2_000;
const longestPauseMs = 5 * 60_000;

/** When to poll next: the pause doubles with each check, up to 5 minutes. */
export function nextCheckAt(checks: number, nowMs: number): number {
  return nowMs + Math.min(firstCheckMs * 2 ** Math.min(checks, 20), longestPauseMs);
}
