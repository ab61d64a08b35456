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
  /** Payouts that the recipient did not accept. */
  returned: ReturnedTransfer[];
  /** Ignored transactions by reason; `no_sender` needs an operator: it is money without a known owner. */
  ignored: Partial<Record<NoDepositReason, number>>;
  /** Logical time of the jetton wallet to continue at. The caller stores it in the commit that credits the deposits. */
  lastLt: bigint;
  hasMore: boolean;
}

/**
 * Deposits to the jetton wallet after a logical time of that wallet (0: from the first transaction), each once. Compare
 * their sum with the wallet's balance (`jettonWalletOf`): the issuer can remove jettons without a transaction here.
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
