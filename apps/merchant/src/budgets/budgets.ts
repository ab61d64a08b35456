import { Inject, Injectable } from '@nestjs/common';
import type { ReserveReply, ReserveRequest, SpendStatus } from '@tollbridge/api';
import { callContext, DomainError, type CallContext } from '@tollbridge/bus';
import { Clock, Database, Grouped, transaction, type TransactionClient } from '@tollbridge/data';
import { OutboxWorker, ServiceConfig } from '@tollbridge/service';
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

/** Counts what keys spend: reserved before it is spent, then captured or released. */
@Injectable()
export class Budgets {
  private readonly pool: Database['pool'];
  /** Keys that were seen to have bounds, which never change: they save a look that would be in vain. */
  private readonly bounded = new Set<string>();
  private readonly reservations: Grouped<Asked, ReserveReply | DomainError>;

  constructor(
    database: Database,
    private readonly budgets: BudgetsRepository,
    private readonly outbox: OutboxWorker,
    @Inject(Clock) private readonly clock: Clock,
    @Inject(ServiceConfig) private readonly config: Pick<MerchantConfig, 'environment'>,
  ) {
    this.pool = database.pool;
    // Spends of one key wait for each other anyway: those that come meanwhile are taken together.
    this.reservations = new Grouped((group) => this.reserveGroup(group), { maxGroup, maxConcurrent: 2 });
  }

  /** Resolves when the reservation is committed. @throws DomainError when the key may not spend this. */
  async reserve(request: ReserveRequest, context: CallContext): Promise<ReserveReply> {
    const outcome = await this.reservations.add({ request, context });
    if (outcome instanceof DomainError) throw outcome;
    return outcome;
  }

  /** @returns where the spend stands then; undefined when nothing is known of it */
  capture(
    client: TransactionClient,
    reference: string,
    { valueUsd, context }: { valueUsd?: string; context?: CallContext } = {},
  ): Promise<SpendStatus | undefined> {
    const nowMs = this.clock.now();
    const value = valueUsd === undefined ? [] : [microsOf(valueUsd)];
    return this.end(client, reference, (spend) => captured(spend, nowMs, ...value), context);
  }

  /**
   * @param attempt only this try at it is given up
   * @param isStill what must be true of the spend, as it stands then
   */
  release(
    client: TransactionClient,
    reference: string,
    { attempt, isStill = () => true }: { attempt?: string; isStill?: (spend: Spend) => boolean } = {},
  ): Promise<SpendStatus | undefined> {
    const nowMs = this.clock.now();
    return this.end(client, reference, (spend) => (isStill(spend) ? released(spend, nowMs, attempt) : spend));
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

  /** Moves a spend, and what its key has used of the month that it counts in. */
  private async end(
    client: TransactionClient,
    reference: string,
    move: (spend: Spend) => Spend,
    context = callContext({ principal: 'budgets' }),
  ): Promise<SpendStatus | undefined> {
    for (;;) {
      const seen = await this.budgets.findSpend(client, reference);
      if (!seen) return undefined;
      const keys = await this.budgets.lockMonths(client, [seen.keyId], seen.month);
      const key = keys.get(seen.keyId)!;
      const [spend] = await this.budgets.lockSpends(client, [reference]);
      if (!spend) return undefined;
      // Tried anew in another month meanwhile.
      if (spend.month !== seen.month) continue;
      const after = move(spend);
      if (after === spend) return spend.status;
      await this.budgets.saveSpends(client, [after]);
      key.usedMicros += countedMicros(after) - countedMicros(spend);
      await this.tellNews(client, key, this.clock.now(), context);
      await this.budgets.saveMonths(client, [key]);
      return after.status;
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
