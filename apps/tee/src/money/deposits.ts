import { Inject, Injectable } from '@nestjs/common';
import type { ChainTransaction, DepositCredit, WithdrawalReturn } from '@tollbridge/contracts';
import { DomainError, isUuid } from '@tollbridge/rpc';
import { Clock } from '@tollbridge/database';
import { isStrongKey } from '@tollbridge/nanopay-protocol';
import { OwnerOrders } from '../accounts/owner-orders';
import { hasNoKey, keyOf, noKey, type Account, type AccountKey } from '../ledger/rules/account';
import type { Ledger } from '../ledger/ledger';
import type { DepositRecord } from '../ledger/storage/ledger-batch';
import { ledgerAmount } from '../ledger/rules/ledger-amount';
import { LedgerWriter } from '../ledger/storage/ledger-writer';
import { KeyedQueue } from '../ledger/keyed-queue';
import { ownBytes } from '../ledger/own-bytes';
import { MoneyRepository } from './money.repository';

/** Credits deposits from the chain, once per transaction. */
@Injectable()
export class Deposits {
  private readonly transactions = new KeyedQueue();
  /** Serialises returns of the same withdrawal, because two transactions may claim to return it. */
  private readonly returns = new KeyedQueue();

  constructor(
    private readonly writer: LedgerWriter,
    private readonly money: MoneyRepository,
    private readonly orders: OwnerOrders,
    @Inject(Clock) private readonly clock: Clock,
  ) {}

  /** @returns false if the transaction was credited before */
  credit({ sender, amount, chainAccount, lt, hash, ...wallet }: DepositCredit): Promise<boolean> {
    return this.once({ chainAccount, lt, hash }, async () => ({
      key: keyOf(sender),
      amount,
      also: (account) => setReportedKey(account, wallet),
    }));
  }

  /**
   * Credits a returned payout to the balance of its account, for withdrawals and earnings. A retry would fail at the
   * same wallet, so the owner can withdraw to another wallet.
   */
  creditReturn({ withdrawalId: id, ...transaction }: WithdrawalReturn): Promise<boolean> {
    const find = async (): Promise<Credit> => {
      const withdrawal = isUuid(id) ? await this.money.withdrawal(id) : undefined;
      if (!withdrawal || withdrawal.status === 'pending' || withdrawal.status === 'returned')
        throw new DomainError(
          'NOT_FOUND',
          'No failed payout has this reference, or its amount was already returned.',
        );
      // The money counts as sent until the payout is closed.
      if (withdrawal.status === 'sent') throw new DomainError('SERVICE_UNAVAILABLE');
      return {
        key: withdrawal.account,
        amount: withdrawal.amountAtomic.toString(),
        also: (_account, ledger, atMs) => ledger.record({ kind: 'withdrawal-return', id, atMs }),
      };
    };
    return this.returns.run(id.toLowerCase(), () => this.once(transaction, find));
  }

  private once({ chainAccount, lt, hash }: ChainTransaction, find: () => Promise<Credit>): Promise<boolean> {
    const transaction = { chainAccount, lt: BigInt(lt), hash: hash.toLowerCase() };
    return this.transactions.run(`${chainAccount}:${transaction.lt}:${transaction.hash}`, () =>
      this.orders.whenWritable(() => this.creditNow(transaction, find)),
    );
  }

  private async creditNow(
    transaction: Pick<DepositRecord, 'chainAccount' | 'lt' | 'hash'>,
    find: () => Promise<Credit>,
  ): Promise<boolean> {
    if (await this.money.isDeposited(transaction)) return false;
    const { key, amount, also } = await find();
    const ledger = await this.writer.with([key]);
    const nowMs = this.clock.now();
    const account = ledger.account(key);
    const amountAtomic = ledgerAmount(amount, 'amount', account.deposited);
    account.deposited += amountAtomic;
    account.available += amountAtomic;
    also(account, ledger, nowMs);
    ledger.touchAccount(account, nowMs);
    ledger.record({ kind: 'deposit', ...transaction, account: key, amountAtomic, atMs: nowMs });
    await this.writer.committed();
    return true;
  }
}

interface Credit {
  key: AccountKey;
  amount: string;
  /** Applies further changes in the same commit. */
  also(account: Account, ledger: Ledger, nowMs: number): void;
}

/**
 * Stores the key that the wallet reports, so that its owner does not have to send a state-init. A wallet with disabled
 * signatures accepts none until it reports a key again.
 */
function setReportedKey(
  account: Account,
  { publicKey: hex, isSwitchedOff }: Pick<DepositCredit, 'publicKey' | 'isSwitchedOff'>,
): void {
  if (isSwitchedOff) account.publicKey = noKey;
  if (hex === undefined || (account.publicKey && !hasNoKey(account))) return;
  const publicKey = Buffer.from(hex, 'hex');
  if (isStrongKey(publicKey)) account.publicKey = ownBytes(publicKey);
}
