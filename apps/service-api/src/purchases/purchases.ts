import { Inject, Injectable } from '@nestjs/common';
import { DomainError, keyIdOf, merchantOf, withDerivedKey, type CallContext } from '@tollbridge/rpc';
import { Clock } from '@tollbridge/database';
import { KeyBudgets } from '@tollbridge/key-budgets';
import type { Logger } from '@tollbridge/observability';
import { ProviderError } from '@tollbridge/http';
import { OutboxWorker, ServiceLogger } from '@tollbridge/bootstrap';
import { isDeepStrictEqual } from 'node:util';
import { setTimeout as pause } from 'node:timers/promises';
import { v7 as uuid } from 'uuid';
import { hasEnded, isSpent, nextCheckAt, type Progress, type Purchase, type Refusal } from './purchase';
import type { PurchaseKind } from './purchase-kind';
import { PurchasesRepository, type PurchaseChange } from './purchases.repository';

/** What is wished for. */
export interface Wish<Terms extends object> {
  terms: Terms;
  /** The buyer's own name for it; without one what is made of his Idempotency-Key, or else it is never the same. */
  reference?: string;
  /** Decimal dollars; null where no price is known. */
  valueUsd: string | null;
  /** For people. */
  description: string;
}

// Above what a provider is waited for, and the budget's answer before it.
export const leaseMs = 100_000;
const [firstPauseMs, longestPauseMs] = [25, 500];
// Of one process. With more the database would be waited for too long.
const maxAtOnce = 500;
const comeAgainSeconds = 5;
// A database that is busy or starts anew: what was sold is known here only, and some providers cannot be asked by reference.
const [keepTries, keepAgainMs] = [3, 1_000];

/**
 * Buys each thing once, however often it is asked for: it is claimed under its reference before the provider is asked, and
 * what the provider may have done unheard is found out before anything else.
 */
@Injectable()
export class Purchases {
  private underWay = 0;

  constructor(
    private readonly repository: PurchasesRepository,
    private readonly keyBudgets: KeyBudgets,
    private readonly outbox: OutboxWorker,
    @Inject(Clock) private readonly clock: Clock,
    @Inject(ServiceLogger) private readonly logger: Logger,
  ) {}

  /**
   * The purchase, as far as it is: `pending` or over, and never `refused`.
   * @throws DomainError the refusal, or OUTCOME_UNKNOWN while it is not known what the provider has done;
   * RATE_LIMIT_EXCEEDED where too many are under way: nothing was begun then
   */
  async buy<Terms extends object>(
    kind: PurchaseKind<Terms>,
    wish: Wish<Terms>,
    context: CallContext,
  ): Promise<Purchase> {
    if (this.underWay >= maxAtOnce)
      throw new DomainError(
        'RATE_LIMIT_EXCEEDED',
        'Too many purchases are being processed. Retry after retryAfter seconds.',
        {
          retryAfterSeconds: comeAgainSeconds,
        },
      );
    this.underWay++;
    const { purchase, isMine } = await this.claimAndMake(kind, wish, context).finally(() => this.underWay--);
    if (isMine) return purchase;
    if (!isDeepStrictEqual(purchase.terms, asStored(wish.terms))) throw otherTerms();
    // Not counted: else whoever repeats one slow purchase often enough would keep all others from theirs.
    return outcomeOf(await this.waitFor(purchase));
  }

  private async claimAndMake<Terms extends object>(
    kind: PurchaseKind<Terms>,
    wish: Wish<Terms>,
    context: CallContext,
  ): Promise<{ purchase: Purchase; isMine: boolean }> {
    const claimed = await this.repository.claim(
      {
        ...{ id: uuid(), wallet: merchantOf(context), keyId: keyIdOf(context) ?? null, kind: kind.kind },
        reference: wish.reference ?? withDerivedKey(context, kind.kind).idempotencyKey ?? uuid(),
        ...{ terms: wish.terms, valueUsd: wish.valueUsd },
      },
      { nowMs: this.clock.now(), leaseMs },
    );
    if (!claimed.isMine) return claimed;
    return { purchase: await this.make(kind, claimed.purchase, wish, context), isMine: true };
  }

  private async make<Terms extends object>(
    kind: PurchaseKind<Terms>,
    purchase: Purchase,
    { terms, valueUsd, description }: Wish<Terms>,
    context: CallContext,
  ): Promise<Purchase> {
    const spend = { kind: kind.spend, reference: purchase.id, valueUsd, description };
    let wasAsked = false;
    const ask = async (): Promise<Purchase> => {
      wasAsked = true;
      return this.ask(kind, purchase, terms, context);
    };
    try {
      return await this.keyBudgets.during(
        context,
        () => spend,
        ask,
        ({ status }) => isSpent(status),
      );
    } catch (error) {
      // The key may not spend so much, or nobody could tell: the provider has heard of nothing.
      if (!wasAsked) await this.note(purchase, { status: 'refused', refusal: refusalOf(error) }, context);
      throw error;
    }
  }

  private async ask<Terms extends object>(
    kind: PurchaseKind<Terms>,
    purchase: Purchase,
    terms: Terms,
    context: CallContext,
  ): Promise<Purchase> {
    let progress: Progress;
    try {
      progress = await kind.buy(terms, purchase.id, purchase.valueUsd);
    } catch (error) {
      throw await this.failed(purchase, error, context);
    }
    for (let triesLeft = keepTries; ; triesLeft--) {
      try {
        return await this.keep(purchase, progress, context);
      } catch (error) {
        // It was sold, so of no failure here may anybody think that it was not. The worker finds it out.
        if (error instanceof DomainError) throw error;
        if (triesLeft === 1) throw unknownOutcome(error);
      }
      await pause(keepAgainMs);
    }
  }

  /** What was bought is bought, whatever was thought of it meanwhile. */
  private async keep(purchase: Purchase, progress: Progress, context: CallContext): Promise<Purchase> {
    let known: Purchase | undefined = purchase;
    while (known && !hasEndedWell(known.status)) {
      const change = changeTo(progress, known, this.clock.now());
      const kept = await this.repository.change(known, change, this.clock.now(), context);
      this.outbox.wake();
      if (kept) return kept;
      known = await this.repository.find(purchase.id);
    }
    if (known) return known;
    const { providerId } = progress;
    this.logger.error(
      { purchaseId: purchase.id, providerId },
      'a provider sold what had been given up: a person must look',
    );
    throw unknownOutcome();
  }

  private async failed(purchase: Purchase, error: unknown, context: CallContext): Promise<DomainError> {
    const told = failureOf(error);
    const isKnown = told.code !== 'OUTCOME_UNKNOWN';
    if (!isKnown)
      this.logger.warn(
        { purchaseId: purchase.id, err: error },
        'whether a provider did what it was asked is unknown',
      );
    const change: PurchaseChange = isKnown
      ? { status: 'refused', refusal: refusalOf(told) }
      : { status: 'unknown', checkAtMs: nextCheckAt(0, this.clock.now()) };
    await this.note(purchase, change, context);
    return told;
  }

  /** What was not bought, or perhaps: should this fail, the worker finds it out when the lease has ended. */
  private async note(purchase: Purchase, change: PurchaseChange, context: CallContext): Promise<void> {
    try {
      // Without effect where somebody has changed it meanwhile, who knows more.
      await this.repository.change(purchase, change, this.clock.now(), context);
      this.outbox.wake();
    } catch (err) {
      this.logger.warn({ purchaseId: purchase.id, err }, 'what became of a purchase is noted later');
    }
  }

  /** Who comes second waits for the first one's answer. */
  private async waitFor(purchase: Purchase): Promise<Purchase> {
    const giveUpAtMs = performance.now() + leaseMs;
    let known = purchase;
    for (let pauseMs = firstPauseMs; known.status === 'buying' && performance.now() < giveUpAtMs;) {
      await pause(pauseMs);
      pauseMs = Math.min(pauseMs * 2, longestPauseMs);
      // Refused and claimed anew, it is another one.
      const found = await this.repository.find(purchase.id);
      if (!found) throw new DomainError('CONFLICT', 'The purchase was declined meanwhile. Repeat the call.');
      known = found;
    }
    return known;
  }
}

export function changeTo(progress: Progress, { checks }: Purchase, nowMs: number): PurchaseChange {
  const { status, ...rest } = progress;
  return hasEnded(status) ? { status, ...rest } : { status, ...rest, checkAtMs: nextCheckAt(checks, nowMs) };
}

/** Nothing that its first answer says can be news. */
const hasEndedWell = (status: Purchase['status']): boolean => hasEnded(status) && status !== 'refused';

/** As JSON keeps it: without what is undefined. */
const asStored = (terms: object): unknown => JSON.parse(JSON.stringify(terms));

/** @throws DomainError for what is not bought, or not known to be */
function outcomeOf(purchase: Purchase): Purchase {
  const { status, refusal } = purchase;
  if (refusal) throw new DomainError(refusal.code, refusal.message, { details: refusal.details });
  if (status === 'unknown' || status === 'buying') throw unknownOutcome();
  return purchase;
}

const unknownOutcome = (cause?: unknown): DomainError =>
  new DomainError(
    'OUTCOME_UNKNOWN',
    'The provider did not answer in time, so the outcome is unknown until it is reconciled. Repeat the call with the same reference: nothing is bought twice.',
    { cause },
  );

const otherTerms = (): DomainError =>
  new DomainError(
    'CONFLICT',
    'This reference was used for another purchase. Use a new reference for each purchase.',
  );

function refusalOf(error: unknown): Refusal {
  const told = error instanceof DomainError ? error : new DomainError('INTERNAL_ERROR');
  return {
    code: told.code,
    message: told.message,
    ...(told.details !== undefined && { details: told.details }),
  };
}

/** What a failed request to a provider means for the buyer. Only what surely did nothing is told as a failure. */
function failureOf(error: unknown): DomainError {
  if (error instanceof DomainError) return error;
  if (!(error instanceof ProviderError)) return unknownOutcome(error);
  switch (error.kind) {
    case 'rejected':
      return new DomainError('PURCHASE_REFUSED', undefined, { cause: error });
    case 'unavailable':
    case 'rateLimited':
      return new DomainError('UPSTREAM_UNAVAILABLE', undefined, { cause: error });
    case 'badReply':
    case 'unknownOutcome':
      return unknownOutcome(error);
  }
}
