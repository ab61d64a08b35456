import { Inject, Injectable } from '@nestjs/common';
import type { GasSettings } from '@tollbridge/contracts';
import { DomainError } from '@tollbridge/rpc';
import type { GasPrice } from '@tollbridge/evm';
import { Clock } from '@tollbridge/database';
import { EvmChains } from '../../chains/evm-chains';
import { GasPrices } from '../../chains/gas-prices';
import { termsOf, type CheckedOrder } from '../building/build-order';
import { quoteExecuted } from '../storage/built-sets';
import { readNonces } from '../building/chain-reads';
import { rejectOutbid } from '../building/gas-fees';
import { keyOf, QuoteSetsRepository } from '../storage/quote-sets.repository';
import { SetsRepository } from '../storage/sets.repository';
import { isUnsigned, type GasFees, type TransactionSet } from '../transaction-set';

/** Finds the sets of earlier builds of the same quotes, and determines whether they can be returned. */
@Injectable()
export class StandingSets {
  constructor(
    private readonly sets: SetsRepository,
    private readonly quoteSets: QuoteSetsRepository,
    private readonly chains: EvmChains,
    private readonly gasPrices: GasPrices,
    @Inject(Clock) private readonly clock: Clock,
  ) {}

  async find(group: readonly CheckedOrder[]): Promise<Map<CheckedOrder, TransactionSet>> {
    const keys = group.map(({ quote, user }) => ({ quoteId: quote.id, user }));
    const found = await this.quoteSets.standing(keys);
    return new Map(
      group.flatMap((one, at) => {
        const set = found.get(keyOf(keys[at]!));
        return set ? [[one, set] as const] : [];
      }),
    );
  }

  /** Returns a signed set that was not sent. Any other executed set has used its quote. */
  signed(set: TransactionSet, terms: string): TransactionSet | DomainError {
    return set.state === 'built' && set.terms === terms && this.clock.now() < set.validUntilMs
      ? set
      : quoteExecuted(set);
  }

  /** Whether all orders have unsigned sets with these terms, and the nonces and fees are still valid. */
  async areUsable(
    open: readonly CheckedOrder[],
    group: readonly CheckedOrder[],
    standing: ReadonlyMap<CheckedOrder, TransactionSet>,
    gasSettings: GasSettings | undefined,
  ): Promise<boolean> {
    const nowMs = this.clock.now();
    const sets = open.map((one) => {
      const set = standing.get(one);
      const isSame = set && isUnsigned(set) && set.terms === termsOf(one, group, gasSettings);
      return isSame && nowMs < set.validUntilMs ? set : undefined;
    });
    const known = sets.filter((set) => set !== undefined);
    if (known.length === 0 || known.length < sets.length) return false;
    const [{ user, quote }] = open as [CheckedOrder];
    const { chain, rpc } = this.chains.ofToken(quote.from);
    const [gasPrice, nonces, claimed] = await Promise.all([
      this.gasPrices.of(chain.chainId),
      readNonces(rpc, user),
      this.sets.nextClaimedNonce(chain.chainId, user),
    ]);
    const first = Math.max(nonces.pending, claimed);
    const transactions = known.flatMap((set) => set.transactions);
    const isInSequence = transactions.every(({ nonce }, at) => nonce === first + at);
    return isInSequence && transactions.every(({ fees }) => !isOutbid(fees, gasPrice));
  }
}

function isOutbid(fees: GasFees, price: GasPrice): boolean {
  try {
    rejectOutbid(fees, price);
    return false;
  } catch (error) {
    if (error instanceof DomainError) return true;
    throw error;
  }
}
