import { Inject, Injectable } from '@nestjs/common';
import { DomainError, isUuid, type CallContext } from '@tollbridge/rpc';
import { Clock } from '@tollbridge/database';
import { asFailure } from '../../chains/chain-failure';
import { EvmChains } from '../../chains/evm-chains';
import { QuotesRepository } from '../../quotes/quotes.repository';
import { checkedOrder, groupsOf, termsOf, type BuildOrder, type CheckedOrder } from './build-order';
import { GroupBuilder, type BuildRun } from './group-builder';
import { isSet, summary, type BuiltSets } from '../storage/built-sets';
import { isExecuted, QuoteSetsRepository, type NewGroup } from '../storage/quote-sets.repository';
import { StandingSets } from '../sending/standing-sets';
import type { TransactionSet } from '../transaction-set';

/** The outcome of a group: one result per order, and the new sets to store. */
interface GroupOutcome {
  results: Map<CheckedOrder, TransactionSet | DomainError>;
  added?: NewGroup;
}

/** Builds quotes into transaction sets. Sets of one signer on one chain get sequential nonces. */
@Injectable()
export class SetBuilder {
  constructor(
    private readonly quoteSets: QuoteSetsRepository,
    private readonly standing: StandingSets,
    private readonly quotes: QuotesRepository,
    private readonly groups: GroupBuilder,
    private readonly chains: EvmChains,
    @Inject(Clock) private readonly clock: Clock,
  ) {}

  /** @param replyOf creates the reply, which is stored with the sets if the call has an idempotency key */
  async build<Reply>(
    orders: readonly BuildOrder[],
    run: BuildRun,
    context: CallContext,
    replyOf: (built: BuiltSets) => Reply,
  ): Promise<Reply> {
    const ids = [...new Set(orders.map(({ quoteId }) => quoteId).filter(isUuid))];
    const found = new Map((await this.quotes.findAll(ids, run.owner)).map((quote) => [quote.id, quote]));
    const results: (TransactionSet | DomainError)[] = [];
    const around = {
      chainOf: (token: Parameters<EvmChains['ofToken']>[0]) => this.chains.ofToken(token).chain,
      nowMs: this.clock.now(),
    };
    const checked = orders.flatMap((order, place): CheckedOrder[] => {
      try {
        return [checkedOrder(order, place, found.get(order.quoteId), around)];
      } catch (error) {
        results[place] = asFailure(error);
        return [];
      }
    });
    const outcomes = await Promise.all(groupsOf(checked).map((group) => this.group(group, run)));
    for (const outcome of outcomes)
      for (const [{ places }, result] of outcome.results) for (const place of places) results[place] = result;
    const added = outcomes.flatMap((outcome) => outcome.added ?? []);
    if (results.every((result) => result instanceof DomainError)) return replyOf(summary(results, new Map()));
    const nowMs = this.clock.now();
    return this.quoteSets.place(added, { nowMs, context }, (placed) => replyOf(summary(results, placed)));
  }

  /** Reuses the sets of the same quotes and terms while they can be executed; otherwise builds new ones. */
  private async group(group: readonly CheckedOrder[], run: BuildRun): Promise<GroupOutcome> {
    try {
      const standing = await this.standing.find(group);
      const results = new Map<CheckedOrder, TransactionSet | DomainError>();
      for (const one of group) {
        const set = standing.get(one);
        if (set && isExecuted(set))
          results.set(one, this.standing.signed(set, termsOf(one, group, run.gasSettings)));
      }
      const open = group.filter((one) => !results.has(one));
      const isUsable = await this.standing.areUsable(open, group, standing, run.gasSettings);
      if (isUsable) for (const one of open) results.set(one, standing.get(one)!);
      if (isUsable || open.length === 0) return { results };
      const stale = new Set([...standing.values()].map(({ id }) => id));
      const built = await this.groups.build(open, group, run);
      for (const [one, result] of built) results.set(one, result);
      const sets = [...built.values()].filter(isSet);
      return { results, ...(sets.length > 0 && { added: { sets, stale } }) };
    } catch (error) {
      const failure = asFailure(error);
      return { results: new Map(group.map((one) => [one, failure])) };
    }
  }
}
