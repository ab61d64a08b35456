import { Controller, Inject } from '@nestjs/common';
import {
  teeAccountsApi,
  type AccountRequest,
  type Approval,
  type ApprovalOrder,
  type ApprovalsReply,
  type ApprovalsRequest,
  type AttestationReply,
  type AttestationRequest,
  type Cancellation,
  type CancellationRequest,
  type NanoBalance,
  type NanoPayment,
  type NanoStats,
  type Policy,
  type PolicyOrder,
  type ReceiptRequest,
} from '@tollbridge/contracts';
import { DomainError, Handles } from '@tollbridge/rpc';
import { Clock } from '@tollbridge/database';
import { readAccount, receiptOf } from '@tollbridge/nanopay-protocol';
import { Attestation } from '../attestation/attestation';
import { Scope } from '../signing/scope';
import { addressOf, keyOf, newAccount, type Account } from '../ledger/rules/account';
import type { ApprovalTerms } from '../ledger/rules/approvals';
import { LedgerRepository } from '../ledger/storage/ledger.repository';
import { StoredPayments } from '../payments/stored-payments';
import { LedgerStats } from './ledger-stats';
import { OwnerOrders } from './owner-orders';

const maxApprovals = 100;

/**
 * Balances, payments, policies, approvals and attestation. Balances are read from the database, so they are committed.
 */
@Controller()
@Handles(teeAccountsApi)
export class AccountsHandlers {
  constructor(
    private readonly scope: Scope,
    private readonly repository: LedgerRepository,
    private readonly payments: StoredPayments,
    private readonly stats: LedgerStats,
    private readonly orders: OwnerOrders,
    private readonly attestation: Attestation,
    @Inject(Clock) private readonly clock: Clock,
  ) {}

  async readBalance({ address }: AccountRequest): Promise<NanoBalance> {
    const account = await this.storedAccount(this.toRaw(address, 'address'));
    const { deposited, available, reserved, spent, earned, settled, withdrawn } = account;
    return {
      address: addressOf(account.key),
      asset: this.scope.deployment.asset.symbol,
      available: available.toString(),
      reserved: reserved.toString(),
      spent: spent.toString(),
      earned: earned.toString(),
      settled: settled.toString(),
      unsettled: (earned - settled).toString(),
      deposited: deposited.toString(),
      withdrawn: withdrawn.toString(),
      totalDeposited: deposited.toString(),
      totalSpent: spent.toString(),
      updatedAt: new Date(account.updatedMs).toISOString(),
    };
  }

  /** Returns statistics that are at most one second old. */
  readStats(): Promise<NanoStats> {
    return this.stats.read();
  }

  async readPayment({ id }: ReceiptRequest): Promise<NanoPayment> {
    const payment = await this.repository.payment(Buffer.from(id, 'hex'));
    if (!payment) throw new DomainError('NOT_FOUND', 'The payment does not exist. Check its id.');
    const isCharged = payment.seq > 0n;
    const charge = isCharged ? this.payments.chargeOf(payment) : undefined;
    const refund =
      payment.state === 'voided' && isCharged ? await this.payments.refundOf(payment) : undefined;
    return {
      confirmationId: payment.confirmationId.toString('hex'),
      status: payment.state,
      from: addressOf(payment.payer),
      to: addressOf(payment.seller),
      amount: payment.amountAtomic.toString(),
      chargedAmount: isCharged ? payment.chargedAtomic.toString() : '0',
      receipt: charge ? receiptOf({ ...charge, status: 'captured' }) : null,
      refund: refund ? receiptOf(refund) : null,
    };
  }

  async readPolicy({ address }: AccountRequest): Promise<Policy> {
    return toPolicy(await this.storedAccount(this.toRaw(address, 'address')));
  }

  async writePolicy(order: PolicyOrder): Promise<Policy> {
    return toPolicy(await this.orders.setPolicy({ ...order, address: this.toRaw(order.address, 'address') }));
  }

  async cancel(request: CancellationRequest): Promise<Cancellation> {
    const [address, nonce] = [this.toRaw(request.address, 'address'), request.nonce.toLowerCase()];
    await this.orders.cancel({ ...request, address });
    return { address, nonce, status: 'cancelled' };
  }

  async readApprovals({ status, address, limit: wanted }: ApprovalsRequest): Promise<ApprovalsReply> {
    const limit = Math.min(wanted, maxApprovals);
    const payer = address === undefined ? undefined : keyOf(this.toRaw(address, 'address'));
    const found = await this.repository.approvals({ status, payer }, limit, this.clock.now());
    const approvals = found.map((terms) => this.toApproval(terms));
    return { approvals, count: approvals.length, limit };
  }

  async decideApproval(order: ApprovalOrder): Promise<Approval> {
    return this.toApproval(await this.orders.decide(order));
  }

  attest({ nonce }: AttestationRequest): Promise<AttestationReply> {
    return this.attestation.attest(nonce);
  }

  private toRaw(address: string, field: string): string {
    const raw = readAccount(address, this.scope.networkId === -3);
    if (raw === undefined)
      throw DomainError.invalid([
        { field, message: 'is not a TON account in the base workchain, or its checksum is wrong' },
      ]);
    return raw;
  }

  private async storedAccount(address: string): Promise<Account> {
    const key = keyOf(address);
    const [account] = await this.repository.accounts([key]);
    return account ?? newAccount(key, this.clock.now());
  }

  private toApproval(terms: ApprovalTerms): Approval {
    return {
      id: terms.id.toString('hex'),
      from: addressOf(terms.payer),
      to: addressOf(terms.seller),
      amount: terms.amountAtomic.toString(),
      asset: this.scope.deployment.asset.symbol,
      resource: terms.resourceHash.toString('hex'),
      status: terms.status,
      createdAt: new Date(terms.createdMs).toISOString(),
      expiresAt: new Date(terms.expiresMs).toISOString(),
    };
  }
}

function toPolicy({ key, policy, updatedMs }: Account): Policy {
  return {
    address: addressOf(key),
    maxAmount: policy?.maxAmountAtomic.toString() ?? null,
    rateLimit: policy?.rateLimit ?? null,
    updatedAt: policy ? new Date(updatedMs).toISOString() : null,
  };
}
