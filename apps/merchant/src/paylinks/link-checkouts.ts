import { Injectable } from '@nestjs/common';
import { ownValue } from '@tollbridge/chain-port';
import type { TransactionClient } from '@tollbridge/database';
import { newPayment } from './payments/new-payment';
import type { PayLink } from './paylink';
import { PayLinkPaymentsRepository } from './payments/paylink-payments.repository';
import { PayLinksRepository } from './paylinks.repository';
import { closedReason, type Payment } from './payments/payment';
import { PaymentChanges, type Cause } from './payments/payment-changes';

/** A PayLink payment by checkout, after a change of its order. */
export interface CheckoutPayment {
  linkId: string;
  orderId: string;
  /** False when the order has lost its settlement. */
  isCompleted: boolean;
  /**
   * The time that decides whether the link was open: the checkout's start, or the payment's arrival when the order had
   * ended.
   */
  atMs: number;
  settleTx: string;
  amount: bigint;
  payer: string | null;
  valueUsd: string | null;
}

/** Counts payments by checkout for their PayLinks, each order once, in the transaction that settles the order. */
@Injectable()
export class LinkCheckouts {
  constructor(
    private readonly links: PayLinksRepository,
    private readonly payments: PayLinkPaymentsRepository,
    private readonly changes: PaymentChanges,
  ) {}

  async follow(client: TransactionClient, changed: readonly CheckoutPayment[], cause: Cause): Promise<void> {
    const inOrder = [...changed].sort((a, b) => (a.linkId < b.linkId ? -1 : 1));
    for (const checkout of inOrder) {
      // Read again for each payment, because the previous one may have changed the count. Deleted links are locked too.
      const link = await this.links.lock(client, checkout.linkId);
      if (link) await this.followOne(client, link, checkout, cause);
    }
  }

  private async followOne(
    client: TransactionClient,
    link: PayLink,
    checkout: CheckoutPayment,
    cause: Cause,
  ): Promise<void> {
    const known = await this.payments.findByOrder(client, link.id, checkout.orderId);
    const isDecided = known !== undefined && known.status !== 'pending';
    if (checkout.isCompleted === isDecided) {
      // Only the dollar value has changed.
      if (known && known.valueUsd !== checkout.valueUsd && isDecided)
        await this.payments.save(client, { ...known, valueUsd: checkout.valueUsd });
      return;
    }
    const before = known ?? (await this.newPayment(client, link, checkout, cause.nowMs));
    const after = checkout.isCompleted ? completed(link, before, checkout, cause) : reverted(before, cause);
    await this.changes.apply(client, link, { known, after }, cause);
  }

  /** A report of the same transaction may have notified the merchant already. The order replaces that report. */
  private async newPayment(
    client: TransactionClient,
    { id: linkId, chain }: PayLink,
    { orderId, settleTx: txHash }: CheckoutPayment,
    nowMs: number,
  ): Promise<Payment> {
    const reported = await this.payments.find(linkId, txHash, client);
    const isNotified = reported?.orderId === null && reported.isNotified;
    return { ...newPayment({ linkId, chain, txHash }, nowMs), orderId, isNotified };
  }
}

function completed(
  link: PayLink,
  before: Payment,
  { atMs, settleTx, amount, payer, valueUsd }: CheckoutPayment,
  { nowMs }: Cause,
): Payment {
  const closed = closedReason(link, atMs, 0);
  return {
    ...before,
    txHash: settleTx,
    status: closed?.status ?? 'counted',
    isVerified: true,
    reason: closed?.reason ?? null,
    transfer: { logIndex: ownValue, amount, payer },
    valueUsd,
    version: before.version + 1,
    decidedAtMs: nowMs,
  };
}

const reverted = (before: Payment, { nowMs }: Cause): Payment => ({
  ...before,
  status: 'pending',
  isVerified: false,
  reason: null,
  transfer: null,
  valueUsd: null,
  pendingSinceMs: nowMs,
  version: before.version + 1,
  decidedAtMs: null,
});
