import { Inject, Injectable } from '@nestjs/common';
import type { BuildRequest, GasSettings } from '@tollbridge/api';
import { DomainError, isUuid, type CallContext, type FieldError } from '@tollbridge/bus';
import { Clock } from '@tollbridge/data';
import { SwapRouter, type BuiltSwap } from '@tollbridge/routing';
import { v7 as uuid } from 'uuid';
import { chainFailure } from '../chains/chain-failure';
import { EvmChains } from '../chains/evm-chains';
import type { GasPrice } from '@tollbridge/chains';
import { GasPrices } from '../chains/gas-prices';
import { badAddress, canonical } from '../chains/tokens';
import { SwapPrices } from '../quotes/prices';
import { buildFailure } from '../quotes/quote-failure';
import { QuotesRepository, type StoredQuote } from '../quotes/quotes.repository';
import { buildGroup, type GroupResult } from './build-group';
import { SetsRepository } from './sets.repository';
import {
  gasEstimate,
  moved,
  type GasFees,
  type SetTransaction,
  type TransactionSet,
} from './transaction-set';

/** One swap to build. */
export type BuildOrder = Omit<BuildRequest, 'gasSettings'>;

export interface BuiltSets {
  /** In the order of the orders. */
  results: (TransactionSet | DomainError)[];
  /** Dollars that the gas of all of them costs; null without a price. */
  gasCostUsd: string | null;
  /** Dollars that the approvals cost which the sets need fewer together; null without a price. */
  savedUsd: string | null;
}

interface Prepared {
  at: number;
  order: BuildOrder;
  quote: StoredQuote;
  user: string;
  recipient: string;
  deadlineMs: number;
  swap: BuiltSwap;
}

const defaultDeadlineMs = 20 * 60_000;
const maxDeadlineMs = 24 * 60 * 60_000;
const providerTimeoutMs = 10_000;

/** Builds quotes into sets of transactions, those of one signer on one chain with nonces in sequence. */
@Injectable()
export class BuildSets {
  constructor(
    private readonly sets: SetsRepository,
    private readonly quotes: QuotesRepository,
    private readonly router: SwapRouter,
    private readonly chains: EvmChains,
    private readonly gasPrices: GasPrices,
    private readonly prices: SwapPrices,
    @Inject(Clock) private readonly clock: Clock,
  ) {}

  /** @param replyOf what the caller is told; kept with the sets where it must be */
  async build<Reply>(
    orders: readonly BuildOrder[],
    gasSettings: GasSettings | undefined,
    owner: string,
    context: CallContext,
    replyOf: (built: BuiltSets) => Reply,
    batchId: string | null = null,
  ): Promise<Reply> {
    const ids = [...new Set(orders.map(({ quoteId }) => quoteId).filter(isUuid))];
    const found = new Map((await this.quotes.findAll(ids, owner)).map((quote) => [quote.id, quote]));
    const results: (TransactionSet | DomainError)[] = [];
    const prepared: Prepared[] = [];
    await Promise.all(
      orders.map(async (order, at) => {
        const one = await this.prepare(order, at, found.get(order.quoteId)).catch(asFailure);
        if (one instanceof DomainError) results[at] = one;
        else prepared.push(one);
      }),
    );
    prepared.sort((one, other) => one.at - other.at);
    const groups = [...groupsOf(prepared).values()];
    const built = await Promise.all(
      groups.map((group) => this.group(group, gasSettings, owner, batchId).catch(asFailure)),
    );
    const saved: (string | null)[] = [];
    groups.forEach((group, index) => {
      const outcome = built[index]!;
      group.forEach(({ at }, place) => {
        results[at] = outcome instanceof DomainError ? outcome : outcome.sets[place]!;
      });
      if (!(outcome instanceof DomainError)) saved.push(outcome.savedUsd);
    });
    const done = results.filter((result): result is TransactionSet => !(result instanceof DomainError));
    const costs = done.map(({ gasCostUsd }) => gasCostUsd);
    const reply = replyOf({ results, gasCostUsd: sumUsd(costs), savedUsd: sumUsd(saved) });
    if (done.length > 0) await this.sets.insert(done, context, reply);
    return reply;
  }

  private async prepare(order: BuildOrder, at: number, quote: StoredQuote | undefined): Promise<Prepared> {
    if (!quote) throw new DomainError('INVALID_QUOTE');
    const { user, recipient } = addressesOf(order, quote);
    const nowMs = this.clock.now();
    if (nowMs >= quote.expiresAtMs) {
      const expiresAt = Math.floor(quote.expiresAtMs / 1_000);
      throw new DomainError('QUOTE_EXPIRED', undefined, { details: { expiresAt } });
    }
    const deadlineMs = deadlineOf(order.deadline, nowMs);
    const provider = this.router.provider(quote.provider);
    if (!provider)
      throw new DomainError('INVALID_QUOTE', 'Its provider is not offered any more; ask for a new quote.');
    const { from, to, amountInAtomic, minAmountOutAtomic, slippageBps } = quote;
    const request = { from, to, amountInAtomic, minAmountOutAtomic, slippageBps };
    const deadline = new Date(deadlineMs);
    const signal = AbortSignal.timeout(providerTimeoutMs);
    const swap = await provider
      .build({ ...request, sender: user, recipient, deadline }, signal)
      .catch((error: unknown) => {
        throw buildFailure(error, to);
      });
    return { at, order, quote, user, recipient, deadlineMs, swap };
  }

  private async group(
    group: readonly Prepared[],
    gasSettings: GasSettings | undefined,
    owner: string,
    batchId: string | null,
  ): Promise<{ sets: (TransactionSet | DomainError)[]; savedUsd: string | null }> {
    const { user, quote } = group[0]!;
    const { chain, rpc } = this.chains.ofToken(quote.from);
    const [gasPrice, nextClaimedNonce] = await Promise.all([
      this.gasPrices.of(chain.chainId),
      this.sets.nextClaimedNonce(chain.chainId, user),
    ]);
    const items = group.map(({ quote: { from, to, amountInAtomic }, recipient, swap, order }) => {
      return { from, to, amountInAtomic, recipient, swap, skipApprovals: order.skipApprovals };
    });
    const request = { chainId: chain.chainId, rpc, user, items, gasSettings, gasPrice, nextClaimedNonce };
    const result = await buildGroup(request);
    const perUnit = pricePerUnit(result.fees, gasPrice);
    const sets = result.items.map((built, place) =>
      built instanceof DomainError ? built : this.set(group[place]!, built, perUnit, owner, batchId),
    );
    return { sets, savedUsd: this.savedUsd(chain.chainId, result, perUnit) };
  }

  private savedUsd(chainId: number, { savedGasUnits }: GroupResult, perUnit: bigint): string | null {
    return this.prices.value(this.chains.coin(chainId), savedGasUnits * perUnit);
  }

  private set(
    { quote, swap, user, recipient, deadlineMs }: Prepared,
    transactions: SetTransaction[],
    perUnit: bigint,
    owner: string,
    batchId: string | null,
  ): TransactionSet {
    const { from, to, amountInAtomic, provider } = quote;
    const origin = this.chains.ofToken(from).chain;
    const gas = gasEstimate({ transactions });
    const set: TransactionSet = {
      ...{ id: uuid(), owner, quoteId: quote.id, batchId, state: 'building', version: 1, provider },
      ...{ from, to, user, recipient, amountInAtomic },
      amountOutAtomic: swap.quote.amountOutAtomic,
      minAmountOutAtomic: swap.quote.minAmountOutAtomic,
      steps: swap.quote.steps,
      transactions,
      estimatedSeconds: swap.quote.estimatedSeconds,
      gasCostUsd: this.prices.value(this.chains.coin(origin.chainId), gas * perUnit),
      validUntilMs: Math.min(deadlineMs, swap.validUntil?.getTime() ?? deadlineMs),
      originConfirmations: origin.confirmations,
      destinationConfirmations: this.chains.ofToken(to).chain.confirmations,
      ...{ delivery: null, failure: null, executedAtMs: null, endedAtMs: null },
      createdAtMs: this.clock.now(),
    };
    return moved(set, 'built');
  }
}

function groupsOf(prepared: readonly Prepared[]): Map<string, Prepared[]> {
  const groups = new Map<string, Prepared[]>();
  for (const one of prepared) {
    const key = `${one.quote.from.chain}:${one.user}`;
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  return groups;
}

/** What can be said of them without the quote. */
export function problemsOfAddresses(order: Partial<BuildOrder>): FieldError[] {
  return (['userAddress', 'recipient'] as const).flatMap((field): FieldError[] => {
    const address = order[field];
    return address === undefined || canonical(address) ? [] : [{ field, message: badAddress }];
  });
}

/** @throws DomainError naming every bad address */
function addressesOf(order: BuildOrder, quote: StoredQuote): { user: string; recipient: string } {
  const problems = problemsOfAddresses(order);
  if (problems.length > 0) throw DomainError.invalid(problems);
  const user = canonical(order.userAddress)!;
  const recipient = order.recipient === undefined ? user : canonical(order.recipient)!;
  const isToken = [quote.from, quote.to].some(({ address }) => address === recipient);
  if (!isToken) return { user, recipient };
  // Tokens that are sent to a token are gone.
  const field = order.recipient === undefined ? 'userAddress' : 'recipient';
  throw DomainError.invalid([{ field, message: 'is the token itself' }]);
}

function deadlineOf(deadline: number | undefined, nowMs: number): number {
  if (deadline === undefined) return nowMs + defaultDeadlineMs;
  const deadlineMs = deadline * 1_000;
  if (deadlineMs > nowMs + maxDeadlineMs)
    throw DomainError.invalid([{ field: 'deadline', message: 'must be within 24 hours' }]);
  if (deadlineMs > nowMs) return deadlineMs;
  const details = { deadline, now: Math.floor(nowMs / 1_000) };
  throw new DomainError('DEADLINE_EXCEEDED', undefined, { details });
}

/** What a unit will cost: not above what is offered. */
function pricePerUnit(fees: GasFees | undefined, { baseFeePerGas, tipPerGas }: GasPrice): bigint {
  if (!fees) return 0n;
  const asked = (baseFeePerGas ?? 0n) + (fees.isLegacy ? tipPerGas : fees.maxPriorityFeePerGas);
  return fees.isLegacy || fees.maxFeePerGas < asked ? fees.maxFeePerGas : asked;
}

// Dollar values have up to six digits after the point.
const millionths = (usd: string): bigint => {
  const [whole = '0', fraction = ''] = usd.split('.');
  return BigInt(whole) * 1_000_000n + BigInt(fraction.padEnd(6, '0'));
};

function sumUsd(values: readonly (string | null)[]): string | null {
  let sum = 0n;
  for (const value of values) {
    if (value === null) return null;
    sum += millionths(value);
  }
  const fraction = String(sum % 1_000_000n)
    .padStart(6, '0')
    .replace(/0+$/, '');
  return `${sum / 1_000_000n}.${fraction.padEnd(2, '0')}`;
}

function asFailure(error: unknown): DomainError {
  return error instanceof DomainError ? error : chainFailure(error);
}
