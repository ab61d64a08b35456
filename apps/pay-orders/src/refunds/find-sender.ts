import { Injectable } from '@nestjs/common';
import { codeOf, minedCount } from '@tollbridge/evm';
import { RouteProvider } from '../cross-chain/route-provider';
import { readDeposits } from './depositors';
import { problemOfSender, senderOf, type ManualReason } from './refund';
import { RefundAccounts } from './refund-accounts';
import type { RefundPlace } from './refund-places';
import type { DueRefund, RefundedDeposit } from './refunds.repository';

export type FoundSender = { sender: string } | { reason: ManualReason } | 'pending';

/** Finds out on the chain who sent the deposit that came back, and whether that account can be paid. */
@Injectable()
export class FindSender {
  constructor(
    private readonly provider: RouteProvider,
    private readonly accounts: RefundAccounts,
  ) {}

  /**
   * @param arrivedAtomic what the refund address holds
   * @throws RpcError or ProviderError when one of them does not answer; nothing is known then
   */
  async find(refund: DueRefund, place: RefundPlace, arrivedAtomic: bigint): Promise<FoundSender> {
    const { chain, rpc, token } = place;
    const deposit = await this.newest(refund.deposit);
    const where = { chain, rpc, token: token.symbol, depositAddress: deposit.address };
    const read = await readDeposits(where, deposit.txHashes);
    if (read.kind === 'pending') return 'pending';
    const { manualSenders, maxSenderTransactions } = this.accounts.options;
    const ours = [refund.address, this.accounts.gasWallet.address, deposit.address];
    const found = senderOf({
      transfers: read.transfers,
      depositedAtomic: deposit.depositedAtomic,
      usedAtomic: usedOf(deposit),
      returnedAtomic: refund.forwardedAtomic + arrivedAtomic,
      partAddresses: [...ours, ...(token.address === null ? [] : [token.address])],
      ...{ manualSenders, maxSenderTransactions },
    });
    if ('reason' in found) return found;
    const [code, transactions] = await Promise.all([
      codeOf(rpc, found.sender),
      minedCount(rpc, found.sender, 'latest'),
    ]);
    const reason = problemOfSender({ code, transactions }, maxSenderTransactions);
    return reason ? { reason } : found;
  }

  /** A deposit that came after its order was settled is known to the provider only. */
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

/** The part of a deposit that the merchant's money was bought with: at least the least that the provider takes. */
function usedOf({ amountInAtomic, state, minAmountAtomic }: RefundedDeposit): bigint {
  return amountInAtomic ?? (state === 'delivered' ? minAmountAtomic : 0n);
}
