import { Inject, Injectable } from '@nestjs/common';
import {
  DomainError,
  keyIdOf,
  merchantOf,
  saleIdOf,
  withDerivedKey,
  type CallContext,
} from '@tollbridge/rpc';
import { Clock } from '@tollbridge/database';
import { KeyBudgets } from '@tollbridge/key-budgets';
import { isDeepStrictEqual } from 'node:util';
import { setTimeout as pause } from 'node:timers/promises';
import { v7 as uuid } from 'uuid';
import { isSpent, type Progress, type Purchase } from './purchase';
import { toRejection, unknownOutcome } from './purchase-failures';
import type { PurchaseKind } from './purchase-kind';
import { PurchaseOutcomes } from './purchase-outcomes';
import { PurchasesRepository } from './purchases.repository';

export interface PurchaseInput<Terms extends object> {
  terms: Terms;
  /** Name of the provider to buy from; stored with the purchase. */
  provider: string;
  /** The client's reference. Defaults to one derived from the Idempotency-Key; without either, each call buys. */
  reference?: string;
  /** Decimal dollars; null when no price is known. */
  valueUsd: string | null;
  /** Shown in the budget of the key. */
  description: string;
}

// Longer than the time-outs of a purchase and of the budget reservation before it.
export const leaseMs = 100_000;
const firstPauseMs = 25;
const longestPauseMs = 500;
// Per process. With more purchases, each would wait too long for a database connection.
const maxConcurrent = 500;
const retryAfterSeconds = 5;
// For a busy or restarting database. Only this process has the provider's reply, and some providers store no reference.
const storeAttempts = 3;
const storeRetryMs = 1_000;

/**
 * Buys each purchase once, however often it is requested. The reference is claimed before the request to the provider.
 * An unknown outcome is reconciled before the purchase changes again.
 */
@Injectable()
export class Purchases {
  private concurrent = 0;

  constructor(
    private readonly repository: PurchasesRepository,
    private readonly keyBudgets: KeyBudgets,
    private readonly outcomes: PurchaseOutcomes,
    @Inject(Clock) private readonly clock: Clock,
  ) {}

  /**
   * Returns a pending or final purchase. A declined purchase is thrown as an error.
   * @throws DomainError the rejection, OUTCOME_UNKNOWN, or RATE_LIMIT_EXCEEDED (nothing was started)
   */
  async buy<Terms extends object>(
    kind: PurchaseKind<Terms>,
    wanted: PurchaseInput<Terms>,
    context: CallContext,
  ): Promise<Purchase> {
    if (this.concurrent >= maxConcurrent)
      throw new DomainError(
        'RATE_LIMIT_EXCEEDED',
        'Too many purchases are being processed. Retry after retryAfter seconds.',
        { retryAfterSeconds },
      );
    this.concurrent++;
    const { purchase, isMine } = await this.claimAndBuy(kind, wanted, context).finally(
      () => this.concurrent--,
    );
    if (isMine) return purchase;
    if (!isDeepStrictEqual(purchase.terms, asStored(wanted.terms))) throw otherTerms();
    // Waiting calls are not counted: repeated calls for one slow purchase must not block other purchases.
    return outcomeOf(await this.waitFor(purchase));
  }

  /** Returns the purchase that an earlier call made with this reference, unless it was declined. */
  async findBefore(
    kind: string,
    givenReference: string | undefined,
    context: CallContext,
  ): Promise<Purchase | undefined> {
    const reference = referenceOf(kind, givenReference, context);
    if (reference === undefined) return undefined;
    const found = await this.repository.findByReference(merchantOf(context), kind, reference);
    return found?.status === 'refused' ? undefined : found;
  }

  private async claimAndBuy<Terms extends object>(
    kind: PurchaseKind<Terms>,
    wanted: PurchaseInput<Terms>,
    context: CallContext,
  ): Promise<{ purchase: Purchase; isMine: boolean }> {
    const saleId = saleIdOf(context);
    const claim = {
      id: uuid(),
      wallet: merchantOf(context),
      keyId: keyIdOf(context) ?? null,
      kind: kind.kind,
      reference: referenceOf(kind.kind, wanted.reference, context) ?? uuid(),
      provider: wanted.provider,
      terms: wanted.terms,
      valueUsd: wanted.valueUsd,
    };
    const lease = { nowMs: this.clock.now(), leaseMs };
    const claimed = await (saleId === undefined
      ? this.repository.claim(claim, lease)
      : this.repository.claimOfSale(saleId, claim, lease));
    if (!claimed.isMine) return claimed;
    return { purchase: await this.buyWithinBudget(kind, claimed.purchase, wanted, context), isMine: true };
  }

  private async buyWithinBudget<Terms extends object>(
    kind: PurchaseKind<Terms>,
    purchase: Purchase,
    { terms, valueUsd, description }: PurchaseInput<Terms>,
    context: CallContext,
  ): Promise<Purchase> {
    const spend = { kind: kind.spend, reference: purchase.id, valueUsd, description };
    let wasSent = false;
    const send = async (): Promise<Purchase> => {
      wasSent = true;
      return this.send(kind, purchase, terms, context);
    };
    try {
      return await this.keyBudgets.during(
        context,
        () => spend,
        send,
        ({ status }) => isSpent(status),
      );
    } catch (error) {
      // The budget rejected the purchase or did not answer, so nothing was sent to the provider.
      if (!wasSent)
        await this.outcomes.tryStore(purchase, { status: 'refused', refusal: toRejection(error) }, context);
      throw error;
    }
  }

  private async send<Terms extends object>(
    kind: PurchaseKind<Terms>,
    purchase: Purchase,
    terms: Terms,
    context: CallContext,
  ): Promise<Purchase> {
    let progress: Progress;
    try {
      progress = await kind.buy(terms, purchase.id, purchase);
    } catch (error) {
      throw await this.outcomes.storeFailure(purchase, error, context);
    }
    for (let attemptsLeft = storeAttempts; ; attemptsLeft--) {
      try {
        return await this.outcomes.store(purchase, progress, context);
      } catch (error) {
        // The purchase succeeded: never report a failure from here on. The worker reconciles a purchase that is not
        // stored.
        if (error instanceof DomainError) throw error;
        if (attemptsLeft === 1) throw unknownOutcome(error);
      }
      await pause(storeRetryMs);
    }
  }

  /** Waits for the outcome of a concurrent call with the same reference. */
  private async waitFor(purchase: Purchase): Promise<Purchase> {
    const deadlineMs = performance.now() + leaseMs;
    let current = purchase;
    for (let pauseMs = firstPauseMs; current.status === 'buying' && performance.now() < deadlineMs;) {
      await pause(pauseMs);
      pauseMs = Math.min(pauseMs * 2, longestPauseMs);
      // A declined purchase that is claimed again gets a new id.
      const found = await this.repository.find(purchase.id);
      if (!found) throw new DomainError('CONFLICT', 'The purchase was declined meanwhile. Repeat the call.');
      current = found;
    }
    return current;
  }
}

const referenceOf = (kind: string, given: string | undefined, context: CallContext): string | undefined =>
  given ?? withDerivedKey(context, kind).idempotencyKey;

/** Converts the terms to the form that JSON stores, without undefined fields. */
const asStored = (terms: object): unknown => JSON.parse(JSON.stringify(terms));

/** @throws DomainError the rejection, or OUTCOME_UNKNOWN */
function outcomeOf(purchase: Purchase): Purchase {
  const { status, refusal } = purchase;
  if (refusal) throw new DomainError(refusal.code, refusal.message, { details: refusal.details });
  if (status === 'unknown' || status === 'buying') throw unknownOutcome();
  return purchase;
}

const otherTerms = (): DomainError =>
  new DomainError(
    'CONFLICT',
    'This reference was used for another purchase. Use a new reference for each purchase.',
  );
