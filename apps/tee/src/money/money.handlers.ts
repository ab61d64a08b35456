import { Controller } from '@nestjs/common';
import {
  teeMoneyApi,
  type AccountWithdrawals,
  type Cursor,
  type CursorRequest,
  type DepositCredit,
  type DepositCredited,
  type OpenPayout,
  type PayoutClosed,
  type PayoutClosing,
  type PayoutLookup,
  type PayoutOpening,
  type PayoutPayments,
  type PayoutReplyOrNone,
  type Withdrawal,
  type WithdrawalLookup,
  type WithdrawalRequest,
  type WithdrawalReturn,
  type WithdrawalsReply,
} from '@tollbridge/contracts';
import { cursorOf, DomainError, Handles, readCursor, readPage, type FieldError } from '@tollbridge/rpc';
import { readAccount } from '@tollbridge/nanopay-protocol';
import { OwnerOrders } from '../accounts/owner-orders';
import { PayoutWallet } from '../signing/payout-wallet';
import { Scope } from '../signing/scope';
import { addressOf, keyOf } from '../ledger/rules/account';
import type { PayoutTerms } from '../ledger/storage/ledger-batch';
import { Deposits } from './deposits';
import { MoneyRepository, type StoredWithdrawal } from './money.repository';
import { Payouts } from './payouts';
import { Withdrawals } from './withdrawals';

/** Deposits from the chain, and withdrawals and payouts to the chain. */
@Controller()
@Handles(teeMoneyApi)
export class MoneyHandlers {
  constructor(
    private readonly scope: Scope,
    private readonly wallet: PayoutWallet,
    private readonly deposits: Deposits,
    private readonly withdrawals: Withdrawals,
    private readonly payouts: Payouts,
    private readonly orders: OwnerOrders,
    private readonly repository: MoneyRepository,
  ) {}

  async creditDeposit(deposit: DepositCredit): Promise<DepositCredited> {
    const raw = this.toRaw(deposit, ['sender', 'chainAccount']);
    return { isNew: await this.deposits.credit({ ...deposit, ...raw }) };
  }

  async readPayments({ number }: PayoutLookup): Promise<PayoutPayments> {
    const paid = await this.repository.withdrawalsOf(BigInt(number));
    return {
      payments: paid.map(({ id, destination, amountAtomic }) => ({
        withdrawalId: id,
        destination: addressOf(destination),
        amount: amountAtomic.toString(),
      })),
    };
  }

  async creditReturn(returned: WithdrawalReturn): Promise<DepositCredited> {
    const raw = this.toRaw(returned, ['chainAccount']);
    return { isNew: await this.deposits.creditReturn({ ...returned, ...raw }) };
  }

  async readCursor({ chainAccount }: CursorRequest): Promise<Cursor> {
    return { lt: await this.repository.lastLt(chainAccount) };
  }

  async requestWithdrawal(request: WithdrawalRequest): Promise<Withdrawal> {
    const raw = this.toRaw(request, ['address', 'destination']);
    if (raw['destination'] === this.wallet.address)
      throw DomainError.invalid([
        { field: 'destination', message: 'must not be the account that holds all deposits' },
      ]);
    return toWithdrawal(await this.withdrawals.request({ ...request, ...raw }));
  }

  async readWithdrawal({ id }: WithdrawalLookup): Promise<Withdrawal> {
    return toWithdrawal(await this.withdrawals.read(id));
  }

  async listWithdrawals({ cursor, limit: wanted, ...query }: AccountWithdrawals): Promise<WithdrawalsReply> {
    const account = keyOf(this.toRaw(query, ['address']).address);
    const before = readCursor(cursor);
    const { page, limit, next } = await readPage(
      wanted!,
      (most) => this.repository.withdrawalsFrom(account, most, before),
      ({ atMs, id }) => cursorOf({ atMs, id }),
    );
    return { withdrawals: page.map(toWithdrawal), limit, next_cursor: next };
  }

  async openPayout(opening: PayoutOpening): Promise<PayoutReplyOrNone> {
    if (!this.wallet.canPay) return { payout: null, neededCoins: '0', isShort: false };
    const { payout, neededNano, isShort } = await this.orders.whenWritable(() =>
      this.payouts.open({ ...opening, ...this.toRaw(opening, ['assetWallet']) }),
    );
    return { payout: payout ? toOpenPayout(payout) : null, neededCoins: neededNano.toString(), isShort };
  }

  async closePayout({ number, outcome }: PayoutClosing): Promise<PayoutClosed> {
    return { count: await this.orders.whenWritable(() => this.payouts.close(BigInt(number), outcome)) };
  }

  /** Converts these fields to raw addresses, and reports all invalid fields together. */
  private toRaw<T extends object, K extends keyof T & string>(
    input: T,
    fields: readonly K[],
  ): Record<K, string> {
    const errors: FieldError[] = [];
    const read = fields.map((field) => {
      const raw = readAccount(input[field] as string, this.scope.networkId === -3);
      if (raw === undefined)
        errors.push({
          field,
          message: 'is not a TON account in the base workchain, or its checksum is wrong',
        });
      return [field, raw ?? ''] as const;
    });
    if (errors.length > 0) throw DomainError.invalid(errors);
    return Object.fromEntries(read) as Record<K, string>;
  }
}

const toOpenPayout = ({
  number,
  queryId,
  boc,
  afterLt,
  createdAtS,
  validUntilS,
}: PayoutTerms): OpenPayout => ({
  number: Number(number),
  queryId,
  boc: boc.toString('base64'),
  afterLt,
  createdAtS,
  validUntilS,
});

const toWithdrawal = ({
  id,
  status,
  account,
  destination,
  amountAtomic,
  atMs,
}: StoredWithdrawal): Withdrawal => ({
  withdrawalId: id,
  status,
  address: addressOf(account),
  destination: addressOf(destination),
  amount: amountAtomic.toString(),
  createdAt: new Date(atMs).toISOString(),
});
