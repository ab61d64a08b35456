import type { AccountTransactions, TonAccountReader } from './account-reader';
import {
  depositByNotification,
  depositWithoutNotification,
  type Deposit,
  type DepositAccount,
  type NoDepositReason,
} from './deposits';

/** How far each of the two accounts was read. Kept by the caller, in the commit that credits the deposits. */
export interface DepositCursor {
  ownerLt: bigint;
  walletLt: bigint;
}

export interface Deposits {
  /** In the order of their time. */
  deposits: Deposit[];
  /** How often each reason was found among the others; `wrong_source` and `no_sender` deserve a look. */
  ignored: Partial<Record<NoDepositReason, number>>;
  /** Where to go on. */
  cursor: DepositCursor;
  hasMore: boolean;
}

/** Before the first of all transactions. */
export const fromTheBeginning: DepositCursor = { ownerLt: 0n, walletLt: 0n };

/**
 * What was deposited after the cursor, each deposit once, whether its sender had the owner notified or not. To be held
 * against the balance of the jetton wallet (`jettonWalletOf`): the issuer can take jettons away without any of this.
 * @throws ProviderError
 */
export async function readDeposits(
  reader: Pick<TonAccountReader, 'getTransactions'>,
  account: DepositAccount,
  { ownerLt, walletLt }: DepositCursor,
  limit: number,
): Promise<Deposits> {
  const [ofOwner, ofWallet] = await Promise.all([
    reader.getTransactions(account.owner, ownerLt, limit),
    reader.getTransactions(account.jettonWallet, walletLt, limit),
  ]);
  const verdicts = [
    ...ofOwner.transactions.map((it) => depositByNotification(it, account)),
    ...ofWallet.transactions.map((it) => depositWithoutNotification(it, account)),
  ];
  const ignored: Deposits['ignored'] = {};
  for (const { reason } of verdicts) if (reason) ignored[reason] = (ignored[reason] ?? 0) + 1;
  const deposits = verdicts.flatMap(({ deposit }) => (deposit ? [deposit] : []));
  return {
    deposits: deposits.sort((one, other) => Number(one.at) - Number(other.at) || compare(one.lt, other.lt)),
    ignored,
    cursor: { ownerLt: lastLt(ofOwner, ownerLt), walletLt: lastLt(ofWallet, walletLt) },
    hasMore: ofOwner.hasMore || ofWallet.hasMore,
  };
}

const lastLt = ({ transactions }: AccountTransactions, before: bigint): bigint =>
  transactions.at(-1)?.lt ?? before;
const compare = (one: bigint, other: bigint): number => (one < other ? -1 : Number(one > other));
