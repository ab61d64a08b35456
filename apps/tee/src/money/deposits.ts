import { Inject, Injectable } from '@nestjs/common';
import type { DepositCredit } from '@tollbridge/api';
import { Clock } from '@tollbridge/data';
import { isStrongKey } from '@tollbridge/nanopay';
import { OwnerOrders } from '../accounts/owner-orders';
import { hasNoKey, keyOf, noKey, type Account } from '../payments/account';
import { ledgerAmount } from '../payments/ledger-amount';
import { LedgerRepository } from '../payments/ledger.repository';
import { LedgerWriter } from '../payments/ledger-writer';

/** Credits what has arrived on the chain, once for each transaction. */
@Injectable()
export class Deposits {
  private readonly underWay = new Map<string, Promise<boolean>>();

  constructor(
    private readonly writer: LedgerWriter,
    private readonly repository: LedgerRepository,
    private readonly orders: OwnerOrders,
    @Inject(Clock) private readonly clock: Clock,
  ) {}

  /** Whether it is new. */
  credit(deposit: DepositCredit): Promise<boolean> {
    const name = `${deposit.chainAccount}:${deposit.lt}:${deposit.hash}`;
    const before = this.underWay.get(name);
    if (before) return before.then(() => false);
    const done = this.orders
      .whenWritable(() => this.creditNow(deposit))
      .finally(() => this.underWay.delete(name));
    this.underWay.set(name, done);
    return done;
  }

  private async creditNow({
    sender,
    amount,
    chainAccount,
    lt,
    hash,
    ...wallet
  }: DepositCredit): Promise<boolean> {
    const transaction = { chainAccount, lt: BigInt(lt), hash: hash.toLowerCase() };
    if (await this.repository.isDeposited(transaction)) return false;
    const key = keyOf(sender);
    const ledger = await this.writer.with([key]);
    const nowMs = this.clock.now();
    const account = ledger.account(key);
    const amountAtomic = ledgerAmount(amount, 'amount', account.deposited);
    account.deposited += amountAtomic;
    account.available += amountAtomic;
    learnKey(account, wallet);
    ledger.touchAccount(account, nowMs);
    ledger.record({ kind: 'deposit', ...transaction, account: key, amountAtomic, atMs: nowMs });
    await this.writer.committed();
    return true;
  }
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
  if (isStrongKey(publicKey)) account.publicKey = publicKey;
}
