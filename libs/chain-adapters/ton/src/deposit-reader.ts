import type { TonAccountReader } from './account-reader';
import {
  depositInWallet,
  type Deposit,
  type DepositAccount,
  type NoDepositReason,
  type ReturnedTransfer,
} from './deposits';

export interface Deposits {
  /** Oldest first. */
  deposits: Deposit[];
  /** Payouts that their recipient did not accept. */
  returned: ReturnedTransfer[];
  /**
   * Number of ignored transactions by reason. `no_sender` needs an operator, because the owner of the money is unknown.
   */
  ignored: Partial<Record<NoDepositReason, number>>;
  /**
   * Logical time of the jetton wallet to continue from. The caller stores it in the database transaction that credits
   * the deposits.
   */
  lastLt: bigint;
  hasMore: boolean;
}

/**
 * Returns the deposits to the jetton wallet after a logical time of that wallet (0: from the first transaction), each
 * once. Compare their sum with the wallet's balance (`jettonWalletOf`), because the issuer can remove jettons without a
 * transaction here.
 * @throws ProviderError
 */
export async function readDeposits(
  reader: Pick<TonAccountReader, 'getTransactions'>,
  account: DepositAccount,
  afterLt: bigint,
  limit: number,
): Promise<Deposits> {
  const { transactions, hasMore } = await reader.getTransactions(account.jettonWallet, afterLt, limit);
  const ignored: Deposits['ignored'] = {};
  const found: Pick<Deposits, 'deposits' | 'returned'> = { deposits: [], returned: [] };
  for (const transaction of transactions) {
    const { deposit, returned, reason } = depositInWallet(transaction, account);
    if (deposit) found.deposits.push(deposit);
    else if (returned) found.returned.push(returned);
    else ignored[reason] = (ignored[reason] ?? 0) + 1;
  }
  return { ...found, ignored, lastLt: transactions.at(-1)?.lt ?? afterLt, hasMore };
}
