import type { BeforeApplicationShutdown } from '@nestjs/common';
import { budgetsApi, mostRecorded, type SpendKind } from '@tollbridge/contracts';
import { callContext, DomainError, keyIdOf, type BusClient, type CallContext } from '@tollbridge/rpc';
import { isWithoutEffect } from '@tollbridge/database';
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';

/** A spend that an API key is about to make, to be reserved in its budget. */
export interface KeySpend {
  kind: SpendKind;
  /** Id of the order, transaction set, purchase or payout; unique in the product. */
  reference: string;
  /** Value in US dollars as a decimal string; null without a price. */
  valueUsd: string | null;
  description: string;
}

type Reservation = KeySpend & { keyId: string; attempt: string };

/** Whether the merchant app did not answer, so that the outcome of the call is unknown. */
function isUnanswered(error: unknown): boolean {
  const { code } = error as DomainError;
  return code === 'OUTCOME_UNKNOWN' || code === 'SERVICE_UNAVAILABLE';
}

// Enough retries to survive a restart of the merchant app, which takes some seconds.
const maxTries = 5;
const retryMs = 1_000;
// Spends of this time are sent together, so that the merchant app records them in one commit.
const recordIntervalMs = 20;
// Delay of a request before its second reservation attempt.
const secondTryMs = 200;

// Each entry is a UUID. An evicted key costs one more call.
const maxCached = 10_000;
// Budgets are fixed when a key is created. The time limit allows for manual changes in the database.
const cachedForMs = 60_000;

/** Reserves the spends of API keys within their budgets, which the merchant app stores. */
export class KeyBudgets implements BeforeApplicationShutdown {
  /** Expiry of the cached fact that a key has no budget, by key id. */
  private readonly unbounded = new Map<string, number>();
  /** Spends that are recorded together, and the timer that ends their wait. */
  private waiting: Reservation[] = [];
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly bus: Pick<BusClient, 'call'>) {}

  /**
   * Reserves a spend, runs the work, and releases the reservation if the work had no effect. After an unknown outcome
   * the reservation stays, and the merchant app determines the outcome later. Calls without a key reserve nothing. For
   * a key without budgets, the spend is recorded after the work, without waiting.
   * @param isSpent whether a result of the work means that something was spent
   * @throws DomainError when the budget is exceeded or cannot be read; then the work has not run
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
      if (isUnbounded && isCounted) this.recordSoon(spend);
      if (!isUnbounded && !isCounted) await this.release(spend.reference, attempt, context);
    }
  }

  /**
   * Reserves a spend with two attempts. The first spends of a key may all reserve at the same time. With one attempt, a
   * stall of the merchant app would fail all of them.
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

  private recordSoon(spend: Reservation): void {
    this.waiting.push(spend);
    if (this.waiting.length === mostRecorded) this.recordWaiting();
    else this.timer ??= setTimeout(() => this.recordWaiting(), recordIntervalMs);
  }

  /** Sends the spends that wait, before the bus is closed. */
  beforeApplicationShutdown(): void {
    if (this.waiting.length > 0) this.recordWaiting();
  }

  private recordWaiting(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    void this.recordAll(this.waiting.splice(0));
  }

  private async recordAll(spends: Reservation[]): Promise<void> {
    const context = callContext();
    try {
      const { limitedKeys } = await this.bus.call(budgetsApi.operations.record, { spends }, context);
      for (const keyId of new Set(spends.map((spend) => spend.keyId)))
        if (limitedKeys.includes(keyId)) this.unbounded.delete(keyId);
        // A key in use stays cached, so that its spends never wait all at once for a reservation.
        else this.cache(keyId);
    } catch {
      // A merchant app of the previous release does not have the operation.
      await Promise.all(spends.map((spend) => this.record(spend, context)));
    }
  }

  /** Records a spend after the work. Retries are safe, because a repeated reservation has no effect. */
  private async record(spend: Reservation, context: CallContext): Promise<void> {
    for (let tries = 1; tries <= maxTries; tries++) {
      try {
        await this.bus.call(budgetsApi.operations.reserve, spend, context);
        return;
      } catch (error) {
        // The next spend of the key is reserved before its work again.
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

  /** Releases a reservation. If this fails, the merchant app determines the outcome later. */
  private async release(reference: string, attempt: string, context: CallContext): Promise<void> {
    await this.bus
      .call(budgetsApi.operations.release, { reference, attempt }, context)
      .catch(() => undefined);
  }
}

const maxLength = 256;

/** Removes control characters, because token names may contain any character. */
function printable(text: string): string {
  return text.slice(0, maxLength).replace(/[\p{Control}\p{Surrogate}]/gu, ' ');
}
