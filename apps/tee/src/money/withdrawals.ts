import { Injectable } from '@nestjs/common';
import type { WithdrawalRequest } from '@tollbridge/contracts';
import { DomainError, isUuid } from '@tollbridge/rpc';
import { withdrawalBytes } from '@tollbridge/nanopay-protocol';
import { createHash } from 'node:crypto';
import { OwnerOrders } from '../accounts/owner-orders';
import { OwnerProofs } from '../accounts/owner-proof';
import { keyOf, type AccountKey } from '../ledger/rules/account';
import type { Ledger } from '../ledger/ledger';
import { ledgerAmount } from '../ledger/rules/ledger-amount';
import { LedgerWriter } from '../ledger/storage/ledger-writer';
import { MoneyRepository, type StoredWithdrawal } from './money.repository';

/** Withdrawals from balances. */
@Injectable()
export class Withdrawals {
  constructor(
    private readonly writer: LedgerWriter,
    private readonly repository: MoneyRepository,
    private readonly orders: OwnerOrders,
    private readonly proofs: OwnerProofs,
  ) {}

  /**
   * Reserves the amount until the chain has paid it. The same signed request returns the same withdrawal.
   * @param request with raw addresses
   */
  async request({ address, destination, amount, proof }: WithdrawalRequest): Promise<StoredWithdrawal> {
    const account = keyOf(address);
    const amountAtomic = ledgerAmount(amount, 'amount');
    const nonce = Buffer.from(proof.nonce, 'hex');
    const id = idOf(account, nonce);
    const message = withdrawalBytes(this.proofs.scopeOf(address), {
      destination,
      amountAtomic,
      nonce,
      validBeforeS: BigInt(proof.validBefore),
    });
    const wanted = { id, source: 'balance' as const, account, destination: keyOf(destination), amountAtomic };
    return this.orders.whenWritable(async () => {
      const before = await this.repository.withdrawal(id);
      if (before) return this.same(before, wanted);
      const ledger = await this.writer.with([account]);
      return this.orders.applySigned(proof, ledger.account(account), message, (now, nowMs) =>
        reserve(now, { ...wanted, atMs: nowMs }, nowMs),
      );
    });
  }

  async read(id: string): Promise<StoredWithdrawal> {
    const found = isUuid(id) ? await this.repository.withdrawal(id) : undefined;
    if (!found) throw new DomainError('NOT_FOUND', 'The withdrawal does not exist. Check its id.');
    return found;
  }

  private same(
    before: StoredWithdrawal,
    wanted: Pick<StoredWithdrawal, 'destination' | 'amountAtomic'>,
  ): StoredWithdrawal {
    const isSame = before.destination === wanted.destination && before.amountAtomic === wanted.amountAtomic;
    if (!isSame)
      throw new DomainError('CONFLICT', 'The nonce was used for another withdrawal. Sign with a new nonce.');
    return before;
  }
}

function reserve(ledger: Ledger, terms: Omit<StoredWithdrawal, 'status'>, nowMs: number): StoredWithdrawal {
  const account = ledger.account(terms.account);
  if (account.available < terms.amountAtomic)
    throw new DomainError(
      'INSUFFICIENT_BALANCE',
      'The balance is too low. Deposit first, or withdraw less.',
      {
        details: { available: account.available.toString() },
      },
    );
  account.available -= terms.amountAtomic;
  account.reserved += terms.amountAtomic;
  ledger.touchAccount(account, nowMs);
  ledger.record({ kind: 'withdrawal', ...terms });
  return { ...terms, status: 'pending' };
}

/** Derives the id from account and nonce, so that a replay finds the withdrawal. It is a UUID of version 8. */
function idOf(account: AccountKey, nonce: Buffer): string {
  const bytes = createHash('sha256').update(account, 'latin1').update(nonce).digest().subarray(0, 16);
  bytes[6] = (bytes[6]! & 0x0f) | 0x80;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
