import type { PurchaseStatus } from '@tollbridge/contracts';
import type { ErrorCode } from '@tollbridge/rpc';

/** Something that is bought from a provider, once. */
export interface Purchase {
  id: string;
  wallet: string;
  keyId: string | null;
  /** Which kind, such as `gift-card`: who makes it, and finds it again. */
  kind: string;
  /** The buyer's own name for it. */
  reference: string;
  terms: Record<string, unknown>;
  status: PurchaseStatus;
  providerId: string | null;
  result: Record<string, unknown> | null;
  refusal: Refusal | null;
  /** Decimal dollars; null where that is not known. */
  valueUsd: string | null;
  checks: number;
  version: number;
  createdAtMs: number;
  updatedAtMs: number;
}

/** Why nothing was bought, as the buyer is told. */
export interface Refusal {
  code: ErrorCode;
  message: string;
  details?: unknown;
}

/** How far a provider says that a purchase is. */
export interface Progress {
  status: 'pending' | 'completed' | 'failed' | 'refunded';
  /** The provider's own id. */
  providerId: string | null;
  /** What it says of it, as it may be stored: no code, no number of a card. Without it, what is stored stays. */
  result?: Record<string, unknown>;
  /** What it came to, where that is told: decimal dollars. */
  valueUsd?: string;
}

const ended: readonly PurchaseStatus[] = ['completed', 'failed', 'refunded', 'refused'];

/** Whether nothing more can become of it. */
export const hasEnded = (status: PurchaseStatus): boolean => ended.includes(status);

/** Whether money was spent, or may still be. */
export const isSpent = (status: PurchaseStatus): boolean =>
  !['failed', 'refunded', 'refused'].includes(status);

const [firstCheckMs, longestPauseMs] = [2_000, 5 * 60_000];

/** When a provider is asked again: soon at first, ever more seldom for what takes hours. */
export function nextCheckAt(checks: number, nowMs: number): number {
  return nowMs + Math.min(firstCheckMs * 2 ** Math.min(checks, 20), longestPauseMs);
}
