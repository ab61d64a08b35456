import type { SpendKind, SpendStatus } from '@tollbridge/contracts';
import { DomainError } from '@tollbridge/rpc';
import { budgetError, type KeyMonth } from './budget';

/** One spend of a key: an order, a set of transactions, a purchase or a payout. */
export interface Spend {
  /** The id of the order, the set of transactions, the purchase or the payout. */
  reference: string;
  keyId: string;
  kind: SpendKind;
  description: string;
  /** In millionths of a US dollar; null without a price. */
  valueMicros: bigint | null;
  /** The month of the reservation. The spend counts towards the budget of this month. */
  month: string;
  status: SpendStatus;
  /** Attempts that have neither ended nor been released. */
  attempts: readonly string[];
  /** Whether the spend was captured after its release. */
  isLate: boolean;
  reservedAtMs: number;
  endedAtMs: number | null;
  /** When the outcome is looked up next; null once the outcome is known. */
  checkAtMs: number | null;
}

/** The amount that counts towards the budget of the month, in millionths of a US dollar. */
export function countedMicros({ status, valueMicros }: Spend): bigint {
  return status === 'released' ? 0n : (valueMicros ?? 0n);
}

/**
 * Reserves a spend, or returns the error. A second attempt for a reserved reference reserves nothing more. A released
 * reference is reserved like a new one.
 * @param wanted the spend to store for a new or released reference
 */
export function reserved(known: Spend | undefined, wanted: Spend, key: KeyMonth): Spend | DomainError {
  // Any key may reserve a released reference.
  if (known && known.status !== 'released' && known.keyId !== wanted.keyId)
    return new DomainError('CONFLICT', 'Another API key has already reserved budget for this. Use that key.');
  if (known?.status === 'captured') return known;
  if (known?.status === 'reserved')
    return {
      ...known,
      attempts: [...new Set([...known.attempts, ...wanted.attempts])],
      checkAtMs: wanted.checkAtMs,
    };
  return budgetError(key, wanted.valueMicros) ?? wanted;
}

/** Captures a spend, even beyond the budget, since the money has moved. A second capture may correct the amount. */
export function captured(spend: Spend, nowMs: number, valueMicros = spend.valueMicros): Spend {
  if (spend.status === 'captured')
    return valueMicros === spend.valueMicros ? spend : { ...spend, valueMicros };
  const isLate = spend.status === 'released';
  return { ...ended(spend, 'captured', nowMs), isLate, valueMicros };
}

/**
 * Releases a spend.
 * @param attempt releases this attempt only
 */
export function released(spend: Spend, nowMs: number, attempt?: string): Spend {
  if (spend.status === 'released') return spend;
  if (attempt === undefined) return ended(spend, 'released', nowMs);
  if (spend.status === 'captured' || !spend.attempts.includes(attempt)) return spend;
  const attempts = spend.attempts.filter((other) => other !== attempt);
  return attempts.length > 0 ? { ...spend, attempts } : ended(spend, 'released', nowMs);
}

function ended(spend: Spend, status: 'captured' | 'released', nowMs: number): Spend {
  return { ...spend, status, attempts: [], endedAtMs: nowMs, checkAtMs: null };
}
