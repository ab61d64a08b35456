import { Injectable } from '@nestjs/common';
import { ChainAdapters, finalTransfers } from '@tollbridge/chain-port';
import { canonicalTxHash, isTxHash } from '@tollbridge/chains';
import { codeOf, minedCount } from '@tollbridge/evm';
import { RouteProvider } from '../../cross-chain/route-provider';
import { senderOf, type ManualReason } from '../refund';
import { RefundAccounts } from './refund-accounts';
import type { RefundPlace } from './refund-places';
import type { DueRefund, RefundedDeposit } from '../refunds.repository';
import { reasonAgainstSender } from './sender-account';

/** `pending`: the deposit is not final. `unpayable`: an operator must decide. */
export type FoundSender =
  | { kind: 'found'; sender: string }
  | { kind: 'unpayable'; reason: ManualReason }
  | { kind: 'pending' };

/** Finds the sender of a refunded deposit on the chain, and whether that account can be paid. */
@Injectable()
export class SenderSearch {
  constructor(
    private readonly provider: RouteProvider,
    private readonly accounts: RefundAccounts,
    private readonly adapters: ChainAdapters,
  ) {}

  /**
   * @param arrivedAtomic the balance of the refund address
   * @throws RpcError or ProviderError when the chain or the provider does not answer; retry then
   */
  async find(refund: DueRefund, place: RefundPlace, arrivedAtomic: bigint): Promise<FoundSender> {
    const { chain, rpc, token } = place;
    const deposit = await this.newest(refund.deposit);
    const adapter = this.adapters.find(chain.id)!;
    // The provider also returns transactions of other chains.
    const hashes = new Set(deposit.txHashes.map(canonicalTxHash).filter((hash) => isTxHash(chain, hash)));
    const wanted = [...hashes].map((txHash) => ({ txHash, token, receiver: deposit.address, seenIn: null }));
    const transfers = finalTransfers(adapter.chain, await adapter.readTransfers(wanted));
    if (!transfers) return { kind: 'pending' };
    const { manualSenders, maxSenderTransactions } = this.accounts.options;
    const ours = [refund.address, this.accounts.gasWallet.address, deposit.address];
    const found = senderOf({
      chain,
      transfers,
      depositedAtomic: deposit.depositedAtomic,
      usedAtomic: usedOf(deposit),
      returnedAtomic: refund.forwardedAtomic + arrivedAtomic,
      partAddresses: [...ours, ...(token.address === null ? [] : [token.address])],
      manualSenders,
      maxSenderTransactions,
    });
    if ('reason' in found) return { kind: 'unpayable', reason: found.reason };
    const [code, transactions] = await Promise.all([
      codeOf(rpc, found.sender),
      minedCount(rpc, found.sender, 'latest'),
    ]);
    const reason = reasonAgainstSender({ code, transactions }, maxSenderTransactions);
    return reason ? { kind: 'unpayable', reason } : { kind: 'found', sender: found.sender };
  }

  /** Only the provider reports a deposit that arrived after its order was settled. */
  private async newest(known: RefundedDeposit): Promise<RefundedDeposit> {
    const status = await this.provider.routes?.status({ address: known.address, memo: known.memo });
    if (!status) return known;
    return {
      ...known,
      txHashes: status.depositTxs.length > 0 ? status.depositTxs : known.txHashes,
      state: status.state,
      depositedAtomic: status.depositedAtomic ?? known.depositedAtomic,
      amountInAtomic: status.amountInAtomic ?? known.amountInAtomic,
    };
  }
}

/**
 * The part of a deposit that was converted for the merchant, which is at least the minimum that the provider accepts.
 */
function usedOf({ amountInAtomic, state, minAmountAtomic }: RefundedDeposit): bigint {
  return amountInAtomic ?? (state === 'delivered' ? minAmountAtomic : 0n);
}
