import { Inject, Injectable } from '@nestjs/common';
import type { GasSettings } from '@tollbridge/contracts';
import { DomainError } from '@tollbridge/rpc';
import type { GasPrice } from '@tollbridge/evm';
import { Clock } from '@tollbridge/database';
import { SwapRouter, type BuiltSwap } from '@tollbridge/routing';
import { v7 as uuid } from 'uuid';
import { asFailure } from '../../chains/chain-failure';
import { EvmChains } from '../../chains/evm-chains';
import { GasPrices } from '../../chains/gas-prices';
import { SwapPrices } from '../../quotes/prices';
import { buildFailure } from '../../quotes/quote-failure';
import { SetsRepository } from '../storage/sets.repository';
import {
  gasEstimate,
  transition,
  type GasFees,
  type SetTransaction,
  type TransactionSet,
} from '../transaction-set';
import { buildGroup } from './build-group';
import { termsOf, type CheckedOrder } from './build-order';

export interface BuildRun {
  gasSettings: GasSettings | undefined;
  owner: string;
  batchId: string | null;
}

interface PreparedSwap {
  checked: CheckedOrder;
  swap: BuiltSwap;
}

const providerTimeoutMs = 10_000;

/** Builds the new sets of a group from the swaps of the providers, with sequential nonces and one gas price. */
@Injectable()
export class GroupBuilder {
  constructor(
    private readonly sets: SetsRepository,
    private readonly router: SwapRouter,
    private readonly chains: EvmChains,
    private readonly gasPrices: GasPrices,
    private readonly prices: SwapPrices,
    @Inject(Clock) private readonly clock: Clock,
  ) {}

  /** Returns the new set of each order of `open`, or its error. @throws RpcError if the nodes of the chain fail */
  async build(
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
      // Only the first set of a group counts the saving.
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

/** Returns the expected price per gas, at most the offered price. */
function pricePerUnit(fees: GasFees | undefined, { baseFeePerGas, tipPerGas }: GasPrice): bigint {
  if (!fees) return 0n;
  const asked = (baseFeePerGas ?? 0n) + (fees.isLegacy ? tipPerGas : fees.maxPriorityFeePerGas);
  return fees.isLegacy || fees.maxFeePerGas < asked ? fees.maxFeePerGas : asked;
}
