import { Inject, Injectable } from '@nestjs/common';
import type { ChainTransaction, DepositCredit, WithdrawalReturn } from '@tollbridge/contracts';
import { DomainError, isUuid } from '@tollbridge/rpc';
import { Clock } from '@tollbridge/database';
import { isStrongKey } from '@tollbridge/nanopay-protocol';
import { OwnerOrders } from '../accounts/owner-orders';
import { hasNoKey, keyOf, noKey, type Account, type AccountKey } from '../payments/account';
import type { DepositRecord, Ledger } from '../payments/ledger';
import { ledgerAmount } from '../payments/ledger-amount';
import { LedgerRepository } from '../payments/ledger.repository';
import { LedgerWriter } from '../payments/ledger-writer';
import { NamedTurns } from '../payments/named-turns';
import { ownBytes } from '../payments/own-bytes';
import { MoneyRepository } from './money.repository';

/** Credits what has arrived on the chain, once for each transaction. */
@Injectable()
export class Deposits {
  private readonly transactions = new NamedTurns();
  /** By withdrawal: two transactions may claim to bring the same one back. */
  private readonly returns = new NamedTurns();

  constructor(
    private readonly writer: LedgerWriter,
    private readonly repository: LedgerRepository,
    private readonly money: MoneyRepository,
    private readonly orders: OwnerOrders,
    @Inject(Clock) private readonly clock: Clock,
  ) {}

  /** Whether it is new. */
  credit({ sender, amount, chainAccount, lt, hash, ...wallet }: DepositCredit): Promise<boolean> {
    return this.once({ chainAccount, lt, hash }, async () => ({
      key: keyOf(sender),
      amount,
      also: (account) => learnKey(account, wallet),
    }));
  }

  /**
   * What was paid out and came back is in the balance of whose it was, whether it was a withdrawal or earnings: so it is
   * not sent again by itself to a wallet that takes nothing, and its owner may name another.
   */
  creditReturn({ withdrawalId: id, ...transaction }: WithdrawalReturn): Promise<boolean> {
    const find = async (): Promise<Credit> => {
      const withdrawal = isUuid(id) ? await this.money.withdrawal(id) : undefined;
      if (!withdrawal || withdrawal.status === 'pending' || withdrawal.status === 'returned')
        throw new DomainError(
          'NOT_FOUND',
          'No failed payout has this reference, or its amount was already returned.',
        );
      // Until the end of its payout is known, the money is counted as on its way.
      if (withdrawal.status === 'sent') throw new DomainError('SERVICE_UNAVAILABLE');
      return {
        key: withdrawal.account,
        amount: withdrawal.amountAtomic.toString(),
        also: (_account, ledger, atMs) => ledger.record({ kind: 'withdrawal-return', id, atMs }),
      };
    };
    return this.returns.take(id.toLowerCase(), () => this.once(transaction, find));
  }

  private once({ chainAccount, lt, hash }: ChainTransaction, find: () => Promise<Credit>): Promise<boolean> {
    const transaction = { chainAccount, lt: BigInt(lt), hash: hash.toLowerCase() };
    return this.transactions.take(`${chainAccount}:${transaction.lt}:${transaction.hash}`, () =>
      this.orders.whenWritable(() => this.creditNow(transaction, find)),
    );
  }

  private async creditNow(
    transaction: Pick<DepositRecord, 'chainAccount' | 'lt' | 'hash'>,
    find: () => Promise<Credit>,
  ): Promise<boolean> {
    if (await this.repository.isDeposited(transaction)) return false;
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
  /** What else is true in the same commit. */
  also(account: Account, ledger: Ledger, nowMs: number): void;
}

/**
 * What the wallet says of its key spares its owner to send a state-init. That it takes no signatures holds, whatever was
 * known before, until it names a key again.
 */
function learnKey(
  account: Account,
  { publicKey: hex, isSwitchedOff }: Pick<DepositCredit, 'publicKey' | 'isSwitchedOff'>,
): void {
  if (isSwitchedOff) account.publicKey = noKey;
  if (hex === undefined || (account.publicKey && !hasNoKey(account))) return;
  const publicKey = Buffer.from(hex, 'hex');
  if (isStrongKey(publicKey)) account.publicKey = ownBytes(publicKey);
}
