import { Inject, Injectable } from '@nestjs/common';
import type { GasSettings } from '@tollbridge/contracts';
import { DomainError, isUuid, type CallContext } from '@tollbridge/rpc';
import type { GasPrice } from '@tollbridge/evm';
import { Clock } from '@tollbridge/database';
import { SwapRouter, type BuiltSwap } from '@tollbridge/routing';
import { v7 as uuid } from 'uuid';
import { chainFailure } from '../../chains/chain-failure';
import { EvmChains } from '../../chains/evm-chains';
import { GasPrices } from '../../chains/gas-prices';
import { SwapPrices } from '../../quotes/prices';
import { buildFailure } from '../../quotes/quote-failure';
import { QuotesRepository } from '../../quotes/quotes.repository';
import { buildGroup } from './build-group';
import { checkedOrder, groupsOf, termsOf, type BuildOrder, type CheckedOrder } from './build-order';
import { isSet, summary, type BuiltSets } from '../storage/built-sets';
import { isExecuted, QuoteSetsRepository, type NewGroup } from '../storage/quote-sets.repository';
import { SetsRepository } from '../storage/sets.repository';
import { StandingSets } from '../sending/standing-sets';
import {
  gasEstimate,
  transition,
  type GasFees,
  type SetTransaction,
  type TransactionSet,
} from '../transaction-set';

interface BuildRun {
  gasSettings: GasSettings | undefined;
  owner: string;
  batchId: string | null;
}

interface PreparedSwap {
  checked: CheckedOrder;
  swap: BuiltSwap;
}

/** The outcome of a group: results by order, and the new sets to store. */
interface GroupOutcome {
  results: Map<CheckedOrder, TransactionSet | DomainError>;
  added?: NewGroup;
}

const providerTimeoutMs = 10_000;

/** Builds quotes into transaction sets. Sets of one signer on one chain get nonces in sequence. */
@Injectable()
export class SetBuilder {
  constructor(
    private readonly sets: SetsRepository,
    private readonly quoteSets: QuoteSetsRepository,
    private readonly standing: StandingSets,
    private readonly quotes: QuotesRepository,
    private readonly router: SwapRouter,
    private readonly chains: EvmChains,
    private readonly gasPrices: GasPrices,
    private readonly prices: SwapPrices,
    @Inject(Clock) private readonly clock: Clock,
  ) {}

  /** @param replyOf makes the reply, which is stored with the sets if the call has an idempotency key */
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
      const built = await this.newSets(open, group, run);
      for (const [one, result] of built) results.set(one, result);
      const sets = [...built.values()].filter(isSet);
      return { results, ...(sets.length > 0 && { added: { sets, stale } }) };
    } catch (error) {
      const failure = asFailure(error);
      return { results: new Map(group.map((one) => [one, failure])) };
    }
  }

  private async newSets(
    open: readonly CheckedOrder[],
    group: readonly CheckedOrder[],
    run: BuildRun,
  ): Promise<Map<CheckedOrder, TransactionSet | DomainError>> {
    const results = new Map<CheckedOrder, TransactionSet | DomainError>();
    const swaps = await Promise.all(open.map(async (checked) => this.swapOf(checked).catch(asFailure)));
    const prepared = open.flatMap((checked, at): PreparedSwap[] => {
      const swap = swaps[at]!;
      if (!(swap instanceof DomainError)) return [{ checked, swap }];
      results.set(checked, swap);
      return [];
    });
    if (prepared.length === 0) return results;
    const { user, quote } = open[0]!;
    const { chain, rpc } = this.chains.ofToken(quote.from);
    const [gasPrice, nextClaimedNonce] = await Promise.all([
      this.gasPrices.of(chain.chainId),
      this.sets.nextClaimedNonce(chain.chainId, user),
    ]);
    const items = prepared.map(({ checked: { quote: it, recipient, order }, swap }) => {
      const { from, to, amountInAtomic } = it;
      return { from, to, amountInAtomic, recipient, swap, skipApprovals: order.skipApprovals };
    });
    const { gasSettings } = run;
    const request = { chain, rpc, user, items, gasSettings, gasPrice, nextClaimedNonce };
    const built = await buildGroup(request);
    const perUnit = pricePerUnit(built.fees, gasPrice);
    let savedUsd = this.prices.value(this.chains.coin(chain.chainId), built.savedGasUnits * perUnit);
    built.items.forEach((transactions, at) => {
      const one = prepared[at]!;
      if (transactions instanceof DomainError) return results.set(one.checked, transactions);
      const terms = termsOf(one.checked, group, gasSettings);
      const set = this.set(one, transactions, perUnit, { ...run, terms, savedUsd });
      // The saving of a group is counted on its first set.
      savedUsd = '0.00';
      return results.set(one.checked, set);
    });
    return results;
  }

  private async swapOf({ quote, user, recipient, deadlineMs }: CheckedOrder): Promise<BuiltSwap> {
    if (this.clock.now() >= quote.expiresAtMs) {
      const expiresAt = Math.floor(quote.expiresAtMs / 1_000);
      throw new DomainError('QUOTE_EXPIRED', undefined, { details: { expiresAt } });
    }
    const provider = this.router.provider(quote.provider);
    if (!provider)
      throw new DomainError(
        'INVALID_QUOTE',
        'The provider of this quote is no longer available. Request a new quote.',
      );
    const { from, to, amountInAtomic, minAmountOutAtomic, slippageBps } = quote;
    const request = { from, to, amountInAtomic, minAmountOutAtomic, slippageBps };
    const deadline = new Date(deadlineMs);
    const signal = AbortSignal.timeout(providerTimeoutMs);
    return provider
      .build({ ...request, sender: user, recipient, deadline }, signal)
      .catch((error: unknown) => {
        throw buildFailure(error, to);
      });
  }

  private set(
    { checked: { quote, user, recipient, deadlineMs }, swap }: PreparedSwap,
    transactions: SetTransaction[],
    perUnit: bigint,
    { owner, batchId, terms, savedUsd }: BuildRun & Pick<TransactionSet, 'terms' | 'savedUsd'>,
  ): TransactionSet {
    const { from, to, amountInAtomic, provider } = quote;
    const origin = this.chains.ofToken(from).chain;
    const gas = gasEstimate({ transactions });
    const set: TransactionSet = {
      id: uuid(),
      owner,
      quoteId: quote.id,
      terms,
      batchId,
      state: 'building',
      version: 1,
      provider,
      from,
      to,
      user,
      recipient,
      amountInAtomic,
      amountOutAtomic: swap.quote.amountOutAtomic,
      minAmountOutAtomic: swap.quote.minAmountOutAtomic,
      steps: swap.quote.steps,
      transactions,
      estimatedSeconds: swap.quote.estimatedSeconds,
      gasCostUsd: this.prices.value(this.chains.coin(origin.chainId), gas * perUnit),
      savedUsd,
      validUntilMs: Math.min(deadlineMs, swap.validUntil?.getTime() ?? deadlineMs),
      originConfirmations: origin.confirmations,
      destinationConfirmations: this.chains.ofToken(to).chain.confirmations,
      replacedBy: null,
      delivery: null,
      failure: null,
      executedAtMs: null,
      endedAtMs: null,
      createdAtMs: this.clock.now(),
    };
    return transition(set, 'built');
  }
}

/** The expected price per gas, at most the offered one. */
function pricePerUnit(fees: GasFees | undefined, { baseFeePerGas, tipPerGas }: GasPrice): bigint {
  if (!fees) return 0n;
  const asked = (baseFeePerGas ?? 0n) + (fees.isLegacy ? tipPerGas : fees.maxPriorityFeePerGas);
  return fees.isLegacy || fees.maxFeePerGas < asked ? fees.maxFeePerGas : asked;
}

function asFailure(error: unknown): DomainError {
  return error instanceof DomainError ? error : chainFailure(error);
}
