import { Inject, Injectable } from '@nestjs/common';
import type { ReserveReply, ReserveRequest, SpendStatus } from '@tollbridge/contracts';
import { callContext, DomainError, type CallContext } from '@tollbridge/rpc';
import { Clock, Database, Batcher, transaction, type TransactionClient } from '@tollbridge/database';
import { OutboxWorker, ServiceConfig } from '@tollbridge/bootstrap';
import type { MerchantConfig } from '../config';
import { keyRejection, unauthorized } from '../keys/api-key';
import { notifyMerchant } from '../webhooks/webhook-outbox';
import { monthOf, percentOf, thresholdsReached, type KeyMonth } from './budget';
import { microsOf, usdOf } from './usd-micros';
import { BudgetsRepository } from './budgets.repository';
import { captured, countedMicros, released, reserved, type Spend } from './spend';

interface Call {
  request: ReserveRequest;
  context: CallContext;
}

interface Reservation extends Call {
  spend: Spend;
}

// Large enough that all concurrent requests of a peak share a commit, as in the order service.
const maxGroup = 128;
// The calling service waits for 2 s before it retries.
const retryForMs = 1_500;
// Far longer than any request runs. After this time the outcome is looked up in the service.
export const reconcileAfterMs = 10 * 60_000;

// The limit of the set of key ids. Clearing the set costs one additional statement for each key.
const maxBounded = 10_000;

const webhookOf = {
  'key-budget-warning': 'key.budget_warning',
  'key-budget-reached': 'key.budget_reached',
} as const;

/** The capture or release of a spend. */
export interface SpendEnding {
  reference: string;
  outcome: 'captured' | 'released';
  /** The captured amount in US dollars, as a decimal string; defaults to the reserved amount. */
  valueUsd?: string;
  /** Limits a release to this attempt. */
  attempt?: string;
  /** A condition for a release, checked while the spend is locked. */
  isStill?: (spend: Spend) => boolean;
}

/** Reserves, captures and releases the spends of keys, within the budgets of the keys. */
@Injectable()
export class Budgets {
  private readonly pool: Database['pool'];
  /**
   * Ids of keys that have budgets. A key's budgets never change, so these keys skip the statement for keys without
   * budgets.
   */
  private readonly bounded = new Set<string>();
  private readonly reservations: Batcher<Call, ReserveReply | DomainError>;

  constructor(
    database: Database,
    private readonly budgets: BudgetsRepository,
    private readonly outbox: OutboxWorker,
    @Inject(Clock) private readonly clock: Clock,
    @Inject(ServiceConfig) private readonly config: Pick<MerchantConfig, 'environment'>,
  ) {
    this.pool = database.pool;
    // Reservations of one key lock its row one after the other, so concurrent reservations share a transaction.
    this.reservations = new Batcher((group) => this.reserveGroup(group), {
      maxGroup,
      maxConcurrent: 2,
      isIdempotent: true,
      retryForMs,
      onFailure: database.onGroupFailure,
    });
  }

  /** Resolves when the reservation is committed. @throws DomainError when the key must not spend this value */
  async reserve(request: ReserveRequest, context: CallContext): Promise<ReserveReply> {
    const outcome = await this.reservations.add({ request, context });
    if (outcome instanceof DomainError) throw outcome;
    return outcome;
  }

  /** @returns the status after the capture; undefined for an unknown reference */
  async capture(
    client: TransactionClient,
    reference: string,
    { valueUsd, context }: { valueUsd?: string; context?: CallContext } = {},
  ): Promise<SpendStatus | undefined> {
    const ending = { reference, outcome: 'captured', ...(valueUsd !== undefined && { valueUsd }) } as const;
    return (await this.end(client, [ending], context)).get(reference);
  }

  /**
   * @param only conditions of the release, see `SpendEnding`
   * @returns the status after the release; undefined for an unknown reference
   */
  async release(
    client: TransactionClient,
    reference: string,
    only: Pick<SpendEnding, 'attempt' | 'isStill'> = {},
  ): Promise<SpendStatus | undefined> {
    return (await this.end(client, [{ ...only, reference, outcome: 'released' }])).get(reference);
  }

  /**
   * Ends spends in the given order, and updates the months of their keys.
   * @returns the resulting status of each known reference
   */
  async end(
    client: TransactionClient,
    endings: readonly SpendEnding[],
    context = callContext({ principal: 'budgets' }),
  ): Promise<Map<string, SpendStatus>> {
    if (endings.length === 0) return new Map();
    const { spends, keys } = await this.lockToEnd(client, new Set(endings.map(({ reference }) => reference)));
    const nowMs = this.clock.now();
    const changed = new Map<string, Spend>();
    const changedKeys = new Set<KeyMonth>();
    for (const ending of endings) {
      const spend = spends.get(ending.reference);
      const after = spend && ended(spend, ending, nowMs);
      if (!spend || !after || after === spend) continue;
      spends.set(ending.reference, after);
      changed.set(ending.reference, after);
      const key = keys.get(keyMonthOf(spend))!;
      key.usedMicros += countedMicros(after) - countedMicros(spend);
      changedKeys.add(key);
      await this.emitThresholds(client, key, nowMs, context);
    }
    if (changed.size > 0) {
      await this.budgets.saveSpends(client, [...changed.values()]);
      await this.budgets.saveMonths(client, [...changedKeys]);
    }
    return new Map([...spends].map(([reference, { status }]) => [reference, status]));
  }

  private async reserveGroup(group: readonly Call[]): Promise<(ReserveReply | DomainError)[]> {
    const nowMs = this.clock.now();
    const all = group.map((it) => ({ ...it, spend: newSpend(it.request, monthOf(nowMs), nowMs) }));
    const outcomes = new Map<Reservation, ReserveReply | DomainError>();
    for (const one of await this.reserveUnbounded(all))
      outcomes.set(one, { status: 'reserved', isUnbounded: true });
    const rest = all.filter((one) => !outcomes.has(one));
    const results = rest.length === 0 ? [] : await this.reserveWithinBudgets(rest, nowMs);
    results.forEach((outcome, at) => {
      const reply = outcome instanceof DomainError ? outcome : { status: outcome, isUnbounded: false };
      outcomes.set(rest[at]!, reply);
    });
    return all.map((one) => outcomes.get(one)!);
  }

  /** Reserves for keys without budgets, each reference once. @returns the calls that were reserved */
  private async reserveUnbounded(all: readonly Reservation[]): Promise<Reservation[]> {
    const free = all.filter(({ spend }) => !this.bounded.has(spend.keyId));
    const first = new Map([...free].reverse().map((one) => [one.spend.reference, one]));
    if (first.size === 0) return [];
    const spends = [...first.values()].map(({ spend }) => spend);
    const taken = await this.budgets.reserveUnbounded(spends, this.config.environment);
    return [...first].flatMap(([reference, one]) => (taken.has(reference) ? [one] : []));
  }

  private async reserveWithinBudgets(
    group: readonly Reservation[],
    nowMs: number,
  ): Promise<(SpendStatus | DomainError)[]> {
    const month = monthOf(nowMs);
    const wanted = group.map(({ spend }) => spend);
    let hasEvents = false;
    const outcomes = await transaction(this.pool, async (client) => {
      const keyIds = wanted.map(({ keyId }) => keyId);
      const keys = await this.budgets.lockMonths(client, keyIds, month);
      this.rememberBounded(keys.values());
      const { spends, inserted } = await this.spendsOf(client, wanted, keys);
      const before = new Map(spends);
      const results = wanted.map((spend) => this.reserveOne(spend, spends, keys));
      await this.write(client, { before, spends, inserted });
      const used = results.flatMap((result, at) => (result === 'reserved' ? [keyIds[at]!] : []));
      hasEvents = await this.saveMonths(client, [...new Set(used)], keys, {
        nowMs,
        contextOf: (keyId) => group[keyIds.lastIndexOf(keyId)]!.context,
      });
      return results;
    });
    if (hasEvents) this.outbox.wake();
    return outcomes;
  }

  private rememberBounded(keys: Iterable<KeyMonth>): void {
    if (this.bounded.size > maxBounded) this.bounded.clear();
    for (const { keyId, monthlyBudgetUsd, maxPerTxUsd } of keys)
      if (monthlyBudgetUsd !== null || maxPerTxUsd !== null) this.bounded.add(keyId);
  }

  /**
   * Inserts the wanted spends, and returns the inserted and the existing ones. `write` deletes inserted ones that are
   * rejected.
   */
  private async spendsOf(
    client: TransactionClient,
    wanted: readonly Spend[],
    keys: ReadonlyMap<string, KeyMonth>,
  ): Promise<{ spends: Map<string, Spend>; inserted: Map<string, Spend> }> {
    const possible = wanted.filter(({ keyId }) => keys.has(keyId));
    const first = new Map([...possible].reverse().map((spend) => [spend.reference, spend]));
    const added = await this.budgets.insertSpends(client, [...first.values()]);
    const known = [...first.keys()].filter((reference) => !added.has(reference));
    const locked = known.length === 0 ? [] : await this.budgets.lockSpends(client, known);
    return {
      spends: new Map(locked.map((spend) => [spend.reference, spend])),
      inserted: new Map([...first].filter(([reference]) => added.has(reference))),
    };
  }

  private reserveOne(
    wanted: Spend,
    spends: Map<string, Spend>,
    keys: ReadonlyMap<string, KeyMonth>,
  ): SpendStatus | DomainError {
    const key = keys.get(wanted.keyId);
    const reason = key ? keyRejection(key, this.config.environment) : 'unknown';
    if (!key || reason) return unauthorized(reason ?? 'unknown');
    const known = spends.get(wanted.reference);
    const spend = reserved(known, wanted, key);
    if (spend instanceof DomainError) return spend;
    spends.set(spend.reference, spend);
    // An existing reservation already counts in its own month.
    if (spend === wanted) key.usedMicros += countedMicros(spend);
    return spend.status;
  }

  private async write(
    client: TransactionClient,
    { before, spends, inserted }: Record<'before' | 'spends' | 'inserted', ReadonlyMap<string, Spend>>,
  ): Promise<void> {
    const rejected = [...inserted.keys()].filter((reference) => !spends.has(reference));
    if (rejected.length > 0) await this.budgets.deleteSpends(client, rejected);
    const changed = [...spends.values()].filter(
      (spend) => spend !== (inserted.get(spend.reference) ?? before.get(spend.reference)),
    );
    if (changed.length > 0) await this.budgets.saveSpends(client, changed);
  }

  private async saveMonths(
    client: TransactionClient,
    keyIds: readonly string[],
    keys: ReadonlyMap<string, KeyMonth>,
    { nowMs, contextOf }: { nowMs: number; contextOf(keyId: string): CallContext },
  ): Promise<boolean> {
    if (keyIds.length === 0) return false;
    const changed = keyIds.map((keyId) => keys.get(keyId)!);
    let hasEvents = false;
    for (const key of changed)
      hasEvents = (await this.emitThresholds(client, key, nowMs, contextOf(key.keyId))) || hasEvents;
    await this.budgets.saveMonths(client, changed);
    return hasEvents;
  }

  /** Locks the rows of these references: first the months of their keys, by month and key, then the spends. */
  private async lockToEnd(
    client: TransactionClient,
    references: ReadonlySet<string>,
  ): Promise<{ spends: Map<string, Spend>; keys: Map<string, KeyMonth> }> {
    const keys = new Map<string, KeyMonth>();
    for (;;) {
      const seen = await this.budgets.findSpends(client, [...references]);
      if (seen.length === 0) return { spends: new Map(), keys };
      for (const month of [...new Set(seen.map((spend) => spend.month))].sort()) {
        const keyIds = seen.filter((spend) => spend.month === month).map(({ keyId }) => keyId);
        const locked = await this.budgets.lockMonths(client, keyIds, month);
        for (const key of locked.values()) keys.set(keyMonthOf(key), key);
      }
      const spends = await this.budgets.lockSpends(
        client,
        seen.map(({ reference }) => reference),
      );
      // Between the read and the lock, another attempt may have reserved a reference in another month or with another
      // key.
      if (spends.every((spend) => keys.has(keyMonthOf(spend))))
        return { spends: new Map(spends.map((spend) => [spend.reference, spend])), keys };
    }
  }

  /** Publishes the thresholds that a key has reached, notifies its owner, and marks the thresholds as published. */
  private async emitThresholds(
    client: TransactionClient,
    key: KeyMonth,
    nowMs: number,
    context: CallContext,
  ): Promise<boolean> {
    const thresholds = thresholdsReached(key);
    const data = {
      key_id: key.keyId,
      label: key.label,
      used_budget_usd: usdOf(key.usedMicros),
      monthly_budget_usd: usdOf(microsOf(key.monthlyBudgetUsd ?? '0')),
      percent: Number(percentOf(key) ?? 0n),
    };
    for (const type of thresholds) {
      await this.budgets.appendThresholdEvent(client, type, key, data, { nowMs, context });
      const { traceparent } = context;
      await notifyMerchant(client, { wallet: key.owner, type: webhookOf[type], data, nowMs, traceparent });
    }
    key.isWarned ||= thresholds.includes('key-budget-warning');
    key.isReached ||= thresholds.includes('key-budget-reached');
    return thresholds.length > 0;
  }
}

const keyMonthOf = ({ keyId, month }: Pick<KeyMonth, 'keyId' | 'month'>): string => `${keyId}:${month}`;

function ended(spend: Spend, { outcome, valueUsd, attempt, isStill }: SpendEnding, nowMs: number): Spend {
  if (outcome === 'captured')
    return valueUsd === undefined ? captured(spend, nowMs) : captured(spend, nowMs, microsOf(valueUsd));
  return isStill && !isStill(spend) ? spend : released(spend, nowMs, attempt);
}

function newSpend(request: ReserveRequest, month: string, nowMs: number): Spend {
  const { reference, keyId, kind, description, valueUsd, attempt } = request;
  return {
    reference,
    keyId,
    kind,
    description,
    month,
    valueMicros: valueUsd === null ? null : microsOf(valueUsd),
    status: 'reserved',
    attempts: [attempt],
    isLate: false,
    reservedAtMs: nowMs,
    endedAtMs: null,
    checkAtMs: nowMs + reconcileAfterMs,
  };
}
