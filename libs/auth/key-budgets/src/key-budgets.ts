import { budgetsApi, type SpendKind } from '@tollbridge/contracts';
import { DomainError, keyIdOf, type BusClient, type CallContext } from '@tollbridge/rpc';
import { isWithoutEffect } from '@tollbridge/database';
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';

/** What a key is about to spend on. */
export interface KeySpend {
  kind: SpendKind;
  /** The id of what is spent on, unique in the product. */
  reference: string;
  /** Decimal dollars; null when no price is known. */
  valueUsd: string | null;
  description: string;
}

type Reservation = KeySpend & { keyId: string; attempt: string };

/** Whether nobody has answered: what was asked may have been done, or not. */
function isAway(error: unknown): boolean {
  const { code } = error as DomainError;
  return code === 'OUTCOME_UNKNOWN' || code === 'SERVICE_UNAVAILABLE';
}

// A restart of the merchant app takes some seconds.
const maxTries = 5;
const retryMs = 1_000;

// A uuid each. Those forgotten are asked for once more.
const maxRemembered = 10_000;
// Bounds of a key are chosen when it is made. This is for what nobody foresees, such as a hand in the database.
const rememberedForMs = 60_000;

/** Holds what is done with a key against what the key may spend. */
export class KeyBudgets {
  /** Keys without bounds, and until when that is believed. */
  private readonly unbounded = new Map<string, number>();

  constructor(private readonly bus: Pick<BusClient, 'call'>) {}

  /**
   * Reserves what is spent before it is, and gives it back when it certainly was not. Where that is not known it stays
   * reserved: the merchant app asks for it later. Without a key nobody is asked; for a key that is known to have no
   * bounds nobody waits: what it spends is only counted.
   * @param isSpent whether what the work answered means that something was spent
   * @throws DomainError when the key may not spend so much, or when nobody could tell; nothing was done then
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
      if (isUnbounded && isCounted) void this.count(spend, context);
      if (!isUnbounded && !isCounted) await this.giveBack(spend.reference, attempt, context);
    }
  }

  private async reserve(spend: Reservation, context: CallContext): Promise<void> {
    try {
      const { isUnbounded } = await this.bus.call(budgetsApi.operations.reserve, spend, context);
      if (isUnbounded) this.remember(spend.keyId);
    } catch (cause) {
      if (!isAway(cause)) throw cause;
      // It may have been reserved all the same. Nobody waits for the answer, who has waited for one in vain already.
      if ((cause as DomainError).code === 'OUTCOME_UNKNOWN')
        void this.giveBack(spend.reference, spend.attempt, context);
      const sentence =
        'The budget of the API key cannot be read at present, so nothing was done. Retry after retryAfter seconds.';
      throw new DomainError('SERVICE_UNAVAILABLE', sentence, { cause });
    }
  }

  /** Notes what was done already; there is nothing to give back. What fails is tried again, and may be repeated. */
  private async count(spend: Reservation, context: CallContext): Promise<void> {
    for (let tries = 1; tries <= maxTries; tries++) {
      try {
        await this.bus.call(budgetsApi.operations.reserve, spend, context);
        return;
      } catch (error) {
        // The next one waits for its answer again.
        this.unbounded.delete(spend.keyId);
        if (!isAway(error)) return;
      }
      await pause(retryMs * tries);
    }
  }

  private remember(keyId: string): void {
    if (this.unbounded.size >= maxRemembered) this.unbounded.clear();
    this.unbounded.set(keyId, performance.now() + rememberedForMs);
  }

  /** Should it fail, what stays reserved is looked up later. */
  private async giveBack(reference: string, attempt: string, context: CallContext): Promise<void> {
    await this.bus
      .call(budgetsApi.operations.release, { reference, attempt }, context)
      .catch(() => undefined);
  }
}

const longest = 256;

/** Names of tokens are their makers' choice. */
function printable(text: string): string {
  return text.slice(0, longest).replace(/[\p{Control}\p{Surrogate}]/gu, ' ');
}
