import type { SpendKind, SpendStatus } from '@tollbridge/contracts';
import { DomainError } from '@tollbridge/rpc';
import { excessOf, type KeyMonth } from './budget';

/** Something that a key spends on, once. */
export interface Spend {
  /** The id of the order or of the set of transactions. */
  reference: string;
  keyId: string;
  kind: SpendKind;
  description: string;
  /** Dollars in millionths; null when no price was known. */
  valueMicros: bigint | null;
  /** The month that it counts in: that in which it was reserved. */
  month: string;
  status: SpendStatus;
  /** Tries at it that have neither ended nor been given up. */
  attempts: readonly string[];
  /** Paid after it had been released. */
  isLate: boolean;
  reservedAtMs: number;
  endedAtMs: number | null;
  /** When it is asked what became of it; null once that is known. */
  checkAtMs: number | null;
}

/** What counts against the budget of its month. */
export function countedMicros({ status, valueMicros }: Spend): bigint {
  return status === 'released' ? 0n : (valueMicros ?? 0n);
}

/**
 * A spend that is tried, or why it must not be. A second try at the same thing joins the first and takes no room of its
 * own; what came to nothing before is judged anew.
 * @param wanted the spend as it is if nothing is known of it
 */
export function reserved(known: Spend | undefined, wanted: Spend, key: KeyMonth): Spend | DomainError {
  // What came to nothing belongs to nobody any more.
  if (known && known.status !== 'released' && known.keyId !== wanted.keyId)
    return new DomainError('CONFLICT', 'Another API key has already reserved budget for this. Use that key.');
  if (known?.status === 'captured') return known;
  if (known?.status === 'reserved')
    return {
      ...known,
      attempts: [...new Set([...known.attempts, ...wanted.attempts])],
      checkAtMs: wanted.checkAtMs,
    };
  return excessOf(key, wanted.valueMicros) ?? wanted;
}

/**
 * Paid, whatever was thought before: money that has moved counts even where it exceeds the budget. What it came to may be
 * told after it was looked up.
 */
export function captured(spend: Spend, nowMs: number, valueMicros = spend.valueMicros): Spend {
  if (spend.status === 'captured')
    return valueMicros === spend.valueMicros ? spend : { ...spend, valueMicros };
  const isLate = spend.status === 'released';
  return { ...ended(spend, 'captured', nowMs), isLate, valueMicros };
}

/** Came to nothing; with `attempt`, as far as that one try is concerned. */
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
