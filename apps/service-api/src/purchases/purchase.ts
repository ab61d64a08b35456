import type { PurchaseStatus } from '@tollbridge/contracts';
import type { ErrorCode } from '@tollbridge/rpc';

/** One purchase from a provider. */
export interface Purchase {
  id: string;
  wallet: string;
  keyId: string | null;
  /** The `PurchaseKind` that buys it, such as `gift-card`. */
  kind: string;
  /** The client's reference. */
  reference: string;
  terms: Record<string, unknown>;
  status: PurchaseStatus;
  /** The provider's name; null for a number that was rented before provider names were stored. */
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

/** The error that the client received. Nothing was bought. */
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
  /** Stored unchanged, so it must contain no code and no card number. If absent, the stored result stays. */
  result?: Result;
  /** The final cost in decimal dollars, when the provider reports one. */
  valueUsd?: string;
}

const finalStatuses: readonly PurchaseStatus[] = ['completed', 'failed', 'refunded', 'refused'];

/** Whether the status is final. */
export const hasEnded = (status: PurchaseStatus): boolean => finalStatuses.includes(status);

/** Whether the purchase costs money, or may still cost money. */
export const isSpent = (status: PurchaseStatus): boolean =>
  !['failed', 'refunded', 'refused'].includes(status);

const firstCheckMs = 2_000;
const longestPauseMs = 5 * 60_000;

/** Returns the time of the next poll. The delay doubles with each check, up to 5 minutes. */
export function nextCheckAt(checks: number, nowMs: number): number {
  return nowMs + Math.min(firstCheckMs * 2 ** Math.min(checks, 20), longestPauseMs);
}
