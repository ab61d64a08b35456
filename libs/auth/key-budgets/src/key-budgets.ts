import { budgetsApi, type SpendKind } from '@tollbridge/contracts';
import { DomainError, keyIdOf, type BusClient, type CallContext } from '@tollbridge/rpc';
import { isWithoutEffect } from '@tollbridge/database';
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';

/** What an API key is about to spend, to be reserved in its budget. */
export interface KeySpend {
  kind: SpendKind;
  /** The id of the order, transaction set, purchase or payout; unique in the product. */
  reference: string;
  /** US dollars as a decimal string; null without a price. */
  valueUsd: string | null;
  description: string;
}

type Reservation = KeySpend & { keyId: string; attempt: string };

/** Whether the merchant app gave no answer: the outcome of the call is unknown. */
function isUnanswered(error: unknown): boolean {
  const { code } = error as DomainError;
  return code === 'OUTCOME_UNKNOWN' || code === 'SERVICE_UNAVAILABLE';
}

// A restart of the merchant app takes some seconds.
const maxTries = 5;
const retryMs = 1_000;
// A request waits this long before a second reservation.
const secondTryMs = 200;

// A UUID each. An evicted key costs one more call.
const maxCached = 10_000;
// Budgets are fixed when a key is created. The time limit covers changes by hand in the database.
const cachedForMs = 60_000;

/** Reserves what API keys spend within their budgets, which the merchant app stores. */
export class KeyBudgets {
  /** Keys without budgets, and until when that is cached. */
  private readonly unbounded = new Map<string, number>();

  constructor(private readonly bus: Pick<BusClient, 'call'>) {}

  /**
   * Reserves a spend, runs the work, and releases the reservation if the work had no effect. After an unknown outcome
   * it stays reserved, and the merchant app looks the outcome up later. Calls without a key reserve nothing. For a key
   * without budgets, the spend is recorded after the work, without waiting.
   * @param isSpent whether a result of the work means that something was spent
   * @throws DomainError when the budget is exceeded, or cannot be read; the work has not run then
   */
  async during<T>(
    context: CallContext,
    spendOf: () => KeySpend,
    work: () => Promise<T>,
    isSpent: (result: T) => boolean = () => true,
  ): Promise<T> {
    const keyId = keyIdOf(context);
    if (keyId === undefined) return work();
    const [given, attempt] = [spendOf(), randomUUID()];
    const spend = { ...given, description: printable(given.description), keyId, attempt };
    const isUnbounded = (this.unbounded.get(keyId) ?? 0) > performance.now();
    if (!isUnbounded) await this.reserve(spend, context);
    let isCounted = true;
    try {
      const result = await work();
      isCounted = isSpent(result);
      return result;
    } catch (error) {
      isCounted = !isWithoutEffect(error);
      throw error;
    } finally {
      if (isUnbounded && isCounted) void this.record(spend, context);
      if (!isUnbounded && !isCounted) await this.release(spend.reference, attempt, context);
    }
  }

  /**
   * Tries twice: the first spends of a key reserve all at once. Otherwise a stall of the merchant app would fail all.
   */
  private async reserve(spend: Reservation, context: CallContext): Promise<void> {
    let mayBeReserved = false;
    const call = () =>
      this.bus.call(budgetsApi.operations.reserve, spend, context).catch((error: DomainError) => {
        mayBeReserved ||= error.code === 'OUTCOME_UNKNOWN';
        throw error;
      });
    try {
      const { isUnbounded } = await call().catch(async (error: unknown) => {
        if (!isUnanswered(error)) throw error;
        await pause(secondTryMs);
        return call();
      });
      if (isUnbounded) this.cache(spend.keyId);
    } catch (cause) {
      // The client does not wait for the release.
      if (mayBeReserved) void this.release(spend.reference, spend.attempt, context);
      if (!isUnanswered(cause)) throw cause;
      const sentence =
        'The budget of the API key cannot be read at present, so nothing was done. Retry after retryAfter seconds.';
      throw new DomainError('SERVICE_UNAVAILABLE', sentence, { cause });
    }
  }

  /** Records a spend after the work. Retries are safe: a repeated reservation changes nothing. */
  private async record(spend: Reservation, context: CallContext): Promise<void> {
    for (let tries = 1; tries <= maxTries; tries++) {
      try {
        await this.bus.call(budgetsApi.operations.reserve, spend, context);
        return;
      } catch (error) {
        // The next spend of the key reserves before its work again.
        this.unbounded.delete(spend.keyId);
        if (!isUnanswered(error)) return;
      }
      await pause(retryMs * tries);
    }
  }

  private cache(keyId: string): void {
    if (this.unbounded.size >= maxCached) this.unbounded.clear();
    this.unbounded.set(keyId, performance.now() + cachedForMs);
  }

  /** If it fails, the merchant app looks the outcome up later. */
  private async release(reference: string, attempt: string, context: CallContext): Promise<void> {
    await this.bus
      .call(budgetsApi.operations.release, { reference, attempt }, context)
      .catch(() => undefined);
  }
}

const maxLength = 256;

/** Token names may contain any character. */
function printable(text: string): string {
  return text.slice(0, maxLength).replace(/[\p{Control}\p{Surrogate}]/gu, ' ');
}
