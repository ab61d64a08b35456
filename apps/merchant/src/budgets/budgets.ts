import { Inject, Injectable } from '@nestjs/common';
import type { ReserveReply, ReserveRequest, SpendStatus } from '@tollbridge/contracts';
import { callContext, DomainError, type CallContext } from '@tollbridge/rpc';
import { Clock, Database, Batcher, transaction, type TransactionClient } from '@tollbridge/database';
import { OutboxWorker, ServiceConfig } from '@tollbridge/bootstrap';
import type { MerchantConfig } from '../config';
import { refusalOf, refused } from '../keys/api-key';
import { tellMerchant } from '../webhooks/webhook-outbox';
import { microsOf, monthOf, newsOf, percentOf, usdOf, type KeyMonth } from './budget';
import { BudgetsRepository } from './budgets.repository';
import { captured, countedMicros, released, reserved, type Spend } from './spend';

interface Asked {
  request: ReserveRequest;
  context: CallContext;
}

interface Wanted extends Asked {
  spend: Spend;
}

// As with orders: large enough to share a commit among all requests of a busy moment.
const maxGroup = 128;
// Far longer than any request takes: what nobody has spoken of by then is asked about.
export const silentForMs = 10 * 60_000;

// A uuid each. Forgotten, they are found out again by one statement more.
const maxBounded = 10_000;

const webhookOf = {
  'key-budget-warning': 'key.budget_warning',
  'key-budget-reached': 'key.budget_reached',
} as const;

/** How a spend ends. */
export interface SpendEnding {
  reference: string;
  outcome: 'captured' | 'released';
  /** What it came to when captured, in decimal dollars; as it was reserved by default. */
  valueUsd?: string;
  /** Only this try at it is given up when released. */
  attempt?: string;
  /** What must be true of the spend, as it stands then, to be released. */
  isStill?: (spend: Spend) => boolean;
}

/** Counts what keys spend: reserved before it is spent, then captured or released. */
@Injectable()
export class Budgets {
  private readonly pool: Database['pool'];
  /** Keys that were seen to have bounds, which never change: they save a look that would be in vain. */
  private readonly bounded = new Set<string>();
  private readonly reservations: Batcher<Asked, ReserveReply | DomainError>;

  constructor(
    database: Database,
    private readonly budgets: BudgetsRepository,
    private readonly outbox: OutboxWorker,
    @Inject(Clock) private readonly clock: Clock,
    @Inject(ServiceConfig) private readonly config: Pick<MerchantConfig, 'environment'>,
  ) {
    this.pool = database.pool;
    // Spends of one key wait for each other anyway: those that come meanwhile are taken together.
    this.reservations = new Batcher((group) => this.reserveGroup(group), { maxGroup, maxConcurrent: 2 });
  }

  /** Resolves when the reservation is committed. @throws DomainError when the key may not spend this. */
  async reserve(request: ReserveRequest, context: CallContext): Promise<ReserveReply> {
    const outcome = await this.reservations.add({ request, context });
    if (outcome instanceof DomainError) throw outcome;
    return outcome;
  }

  /** @returns where the spend stands then; undefined when nothing is known of it */
  async capture(
    client: TransactionClient,
    reference: string,
    { valueUsd, context }: { valueUsd?: string; context?: CallContext } = {},
  ): Promise<SpendStatus | undefined> {
    const ending = { reference, outcome: 'captured', ...(valueUsd !== undefined && { valueUsd }) } as const;
    return (await this.end(client, [ending], context)).get(reference);
  }

  /**
   * @param only what `SpendEnding` says of them
   * @returns where the spend stands then; undefined when nothing is known of it
   */
  async release(
    client: TransactionClient,
    reference: string,
    only: Pick<SpendEnding, 'attempt' | 'isStill'> = {},
  ): Promise<SpendStatus | undefined> {
    return (await this.end(client, [{ ...only, reference, outcome: 'released' }])).get(reference);
  }

  /**
   * Ends spends as if it happened one by one, in this order, and updates what their keys have used of their months.
   * @returns where those stand then of which something is known
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
      await this.tellNews(client, key, nowMs, context);
    }
    if (changed.size > 0) {
      await this.budgets.saveSpends(client, [...changed.values()]);
      await this.budgets.saveMonths(client, [...changedKeys]);
    }
    return new Map([...spends].map(([reference, { status }]) => [reference, status]));
  }

  private async reserveGroup(group: readonly Asked[]): Promise<(ReserveReply | DomainError)[]> {
    const nowMs = this.clock.now();
    const asked = group.map((it) => ({ ...it, spend: newSpend(it.request, monthOf(nowMs), nowMs) }));
    const outcomes = new Map<Wanted, ReserveReply | DomainError>();
    for (const one of await this.takeUnbounded(asked))
      outcomes.set(one, { status: 'reserved', isUnbounded: true });
    const rest = asked.filter((one) => !outcomes.has(one));
    const judged = rest.length === 0 ? [] : await this.reserveAll(rest, nowMs);
    judged.forEach((outcome, at) => {
      const reply = outcome instanceof DomainError ? outcome : { status: outcome, isUnbounded: false };
      outcomes.set(rest[at]!, reply);
    });
    return asked.map((one) => outcomes.get(one)!);
  }

  /** Those that are reserved without a look at what was spent before: of keys without bounds, each reference once. */
  private async takeUnbounded(asked: readonly Wanted[]): Promise<Wanted[]> {
    const free = asked.filter(({ spend }) => !this.bounded.has(spend.keyId));
    const first = new Map([...free].reverse().map((one) => [one.spend.reference, one]));
    if (first.size === 0) return [];
    const spends = [...first.values()].map(({ spend }) => spend);
    const taken = await this.budgets.reserveUnbounded(spends, this.config.environment);
    return [...first].flatMap(([reference, one]) => (taken.has(reference) ? [one] : []));
  }

  private async reserveAll(group: readonly Wanted[], nowMs: number): Promise<(SpendStatus | DomainError)[]> {
    const month = monthOf(nowMs);
    const wanted = group.map(({ spend }) => spend);
    let hasNews = false;
    const outcomes = await transaction(this.pool, async (client) => {
      const keyIds = wanted.map(({ keyId }) => keyId);
      const keys = await this.budgets.lockMonths(client, keyIds, month);
      this.rememberBounded(keys.values());
      const { spends, inserted } = await this.spendsOf(client, wanted, keys);
      const before = new Map(spends);
      const results = wanted.map((spend) => this.judge(spend, spends, keys));
      await this.write(client, { before, spends, inserted });
      const used = results.flatMap((result, at) => (result === 'reserved' ? [keyIds[at]!] : []));
      hasNews = await this.saveMonths(client, [...new Set(used)], keys, {
        nowMs,
        contextOf: (keyId) => group[keyIds.lastIndexOf(keyId)]!.context,
      });
      return results;
    });
    if (hasNews) this.outbox.wake();
    return outcomes;
  }

  private rememberBounded(keys: Iterable<KeyMonth>): void {
    if (this.bounded.size > maxBounded) this.bounded.clear();
    for (const { keyId, monthlyBudgetUsd, maxPerTxUsd } of keys)
      if (monthlyBudgetUsd !== null || maxPerTxUsd !== null) this.bounded.add(keyId);
  }

  /** Writes all of them down, and answers those that were known before: new ones are no spends until they are judged. */
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

  private judge(
    wanted: Spend,
    spends: Map<string, Spend>,
    keys: ReadonlyMap<string, KeyMonth>,
  ): SpendStatus | DomainError {
    const key = keys.get(wanted.keyId);
    const reason = key ? refusalOf(key, this.config.environment) : 'unknown';
    if (!key || reason) return refused(reason ?? 'unknown');
    const known = spends.get(wanted.reference);
    const spend = reserved(known, wanted, key);
    if (spend instanceof DomainError) return spend;
    spends.set(spend.reference, spend);
    // What was reserved before is counted already, in the month in which it was.
    if (spend === wanted) key.usedMicros += countedMicros(spend);
    return spend.status;
  }

  private async write(
    client: TransactionClient,
    { before, spends, inserted }: Record<'before' | 'spends' | 'inserted', ReadonlyMap<string, Spend>>,
  ): Promise<void> {
    const refusedOnes = [...inserted.keys()].filter((reference) => !spends.has(reference));
    if (refusedOnes.length > 0) await this.budgets.deleteSpends(client, refusedOnes);
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
    let hasNews = false;
    for (const key of changed)
      hasNews = (await this.tellNews(client, key, nowMs, contextOf(key.keyId))) || hasNews;
    await this.budgets.saveMonths(client, changed);
    return hasNews;
  }

  /** Locks what is known of these references: first the months of their keys, by month and key, then the spends. */
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
      // One may have been tried again in another month meanwhile, or by another key.
      if (spends.every((spend) => keys.has(keyMonthOf(spend))))
        return { spends: new Map(spends.map((spend) => [spend.reference, spend])), keys };
    }
  }

  /** Notes in the key what its owner is told, and tells it on the bus and to the owner's endpoint. */
  private async tellNews(
    client: TransactionClient,
    key: KeyMonth,
    nowMs: number,
    context: CallContext,
  ): Promise<boolean> {
    const news = newsOf(key);
    const data = {
      key_id: key.keyId,
      label: key.label,
      used_budget_usd: usdOf(key.usedMicros),
      monthly_budget_usd: usdOf(microsOf(key.monthlyBudgetUsd ?? '0')),
      percent: Number(percentOf(key) ?? 0n),
    };
    for (const type of news) {
      await this.budgets.tell(client, type, key, data, { nowMs, context });
      await tellMerchant(client, { wallet: key.owner, type: webhookOf[type], data, nowMs });
    }
    key.isWarned ||= news.includes('key-budget-warning');
    key.isReached ||= news.includes('key-budget-reached');
    return news.length > 0;
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
    ...{ reference, keyId, kind, description, month },
    valueMicros: valueUsd === null ? null : microsOf(valueUsd),
    status: 'reserved',
    attempts: [attempt],
    isLate: false,
    reservedAtMs: nowMs,
    endedAtMs: null,
    checkAtMs: nowMs + silentForMs,
  };
}
