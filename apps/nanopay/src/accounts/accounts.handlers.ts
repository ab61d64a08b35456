import { Controller } from '@nestjs/common';
import {
  nanoAccountsApi,
  teeAccountsApi,
  teeMoneyApi,
  type AccountRequest,
  type Cancellation,
  type CancellationRequest,
  type NanoBalance,
  type NanoPayment,
  type NanoStats,
  type Policy,
  type PolicyRequest,
  type ReceiptRequest,
  type StatsRequest,
  type Withdrawal,
  type WithdrawalLookup,
  type WithdrawalRequest,
  type WithdrawalsQuery,
  type WithdrawalsReply,
} from '@tollbridge/contracts';
import {
  BusClient,
  type CallContext,
  DomainError,
  type FieldError,
  Handles,
  Validates,
} from '@tollbridge/rpc';
import { readAccount } from '@tollbridge/nanopay-protocol';
import { PayoutsWorker } from '../chain/payouts.worker';
import { Receivers } from '../receivers/receivers';
import { provenAccountOf } from './proven-account';

const { cancel, readBalance, readPayment, readPolicy, readStats, writePolicy } = teeAccountsApi.operations;
const { listWithdrawals, readWithdrawal, requestWithdrawal } = teeMoneyApi.operations;

/**
 * Accounts of nano-payments. Forwards the operations to the payment ledger service, and adds the authenticated owner.
 */
@Controller()
@Handles(nanoAccountsApi)
export class AccountsHandlers {
  constructor(
    private readonly client: BusClient,
    private readonly payouts: PayoutsWorker,
    private readonly receivers: Receivers,
  ) {}

  getNanoBalance(request: AccountRequest, context: CallContext): Promise<NanoBalance> {
    return this.client.call(readBalance, request, context);
  }

  getNanoStats(request: StatsRequest, context: CallContext): Promise<NanoStats> {
    return this.client.call(readStats, request, context);
  }

  getNanoReceipt(request: ReceiptRequest, context: CallContext): Promise<NanoPayment> {
    return this.client.call(readPayment, request, context);
  }

  getPolicy(request: AccountRequest, context: CallContext): Promise<Policy> {
    return this.client.call(readPolicy, request, context);
  }

  setPolicy(request: PolicyRequest, context: CallContext): Promise<Policy> {
    const owner = provenAccountOf(context);
    const isOwner = owner !== undefined && owner === readAccount(request.address, true);
    return this.client.call(writePolicy, { ...request, isOwner }, context);
  }

  cancelPayment(request: CancellationRequest, context: CallContext): Promise<Cancellation> {
    return this.client.call(cancel, request, context);
  }

  @Validates(nanoAccountsApi.operations.withdrawNano)
  validateWithdrawNano({ destination }: Partial<WithdrawalRequest>): FieldError[] {
    const message = destination === undefined ? undefined : this.receivers.findProblem(destination);
    return message === undefined ? [] : [{ field: 'destination', message }];
  }

  async withdrawNano(request: WithdrawalRequest, context: CallContext): Promise<Withdrawal> {
    const withdrawal = await this.client.call(requestWithdrawal, request, context);
    this.payouts.wake();
    return withdrawal;
  }

  async listNanoWithdrawals(query: WithdrawalsQuery, context: CallContext): Promise<WithdrawalsReply> {
    const address = provenAccountOf(context);
    if (address !== undefined) return this.client.call(listWithdrawals, { ...query, address }, context);
    const message = 'The wallet is not a TON account. Use an API key or a session of a TON wallet.';
    throw new DomainError('FORBIDDEN', message, { details: { reason: 'ton_wallet_required' } });
  }

  getNanoWithdrawal(request: WithdrawalLookup, context: CallContext): Promise<Withdrawal> {
    return this.client.call(readWithdrawal, request, context);
  }
}
