import { Inject, Injectable } from '@nestjs/common';
import { paylinkEvents, type PayLinkPaymentChanged } from '@tollbridge/contracts';
import type { CallContext } from '@tollbridge/rpc';
import type { TransactionClient } from '@tollbridge/database';
import { TokenValues } from '../../chains/token-values';
import { appendEvents } from '../../events/events.repository';
import { recordException, resolveException } from '../../exceptions/record-exception';
import { notifyMerchant } from '../../webhooks/webhook-outbox';
import { leastAmount, type PayLink } from '../paylink';
import { PayLinkListeners, type CountedPayment, type PayLinkListener } from '../paylink-listener';
import { PayLinkPaymentsRepository } from './paylink-payments.repository';
import { networkOf } from '../paylink-view';
import { PayLinksRepository } from '../paylinks.repository';
import { paidAmount, type Part, type Payment } from './payment';
import { exceptionIn } from './payment-exception';
import { strayReference, type Stray } from './stray';
import { tooLittle } from './transfer';

/** The time and the call context of a change. */
export interface Cause {
  nowMs: number;
  context: CallContext;
}

interface Change {
  /** The payment before the change; undefined for a new one. */
  known: Payment | undefined;
  after: Payment;
  /** The partial payments that complete the payment. */
  parts?: readonly Part[];
  /** Transfers to the receiver that cannot pay the link. */
  strays?: readonly Stray[];
  /** Whether another message notifies the merchant of the change. */
  isQuiet?: boolean;
}

/** The data of an event to append. */
interface PaymentEvent {
  link: PayLink;
  payment: Payment;
  version: number;
  nowMs: number;
  /** Defaults to `nowMs`. */
  changedAtMs?: number;
  context: CallContext;
}

const droppedByChain = 'The chain dropped the transaction. It counts when it is mined again.';

/** Stores changed payments with all consequences, in the caller's transaction and under the lock of the link. */
@Injectable()
export class PaymentChanges {
  constructor(
    private readonly links: PayLinksRepository,
    private readonly payments: PayLinkPaymentsRepository,
    private readonly values: TokenValues,
    @Inject(PayLinkListeners) private readonly listeners: readonly PayLinkListener[],
  ) {}

  async apply(
    client: TransactionClient,
    link: PayLink,
    { known, after, parts = [], strays = [], isQuiet = false }: Change,
    { nowMs, context }: Cause,
  ): Promise<Payment> {
    const isReverted = known?.status === 'counted';
    const isCounted = after.status === 'counted';
    const saved: Payment = {
      ...after,
      valueUsd: this.valueOf(link, after),
      // Cleared by a revert, so that the merchant is notified when the payment counts again.
      isNotified: isCounted || (after.isNotified && (isQuiet || !isReverted)),
    };
    await this.payments.save(client, saved);
    const payments = Number(isCounted) - Number(isReverted);
    const unverified = Number(isCounted && !after.isVerified) - Number(isReverted && !known.isVerified);
    const counted =
      payments === 0 && unverified === 0
        ? link
        : await this.links.count(client, link.id, { payments, unverified }, nowMs);
    const { version } = saved;
    const event = { link: counted, version, nowMs, context };
    const change = { version, changedAtMs: nowMs };
    if (isReverted) {
      await this.notifyListeners(client, link, known, change, false);
      if (!isCounted) await this.appendEvent(client, 'paylink-payment-reorged', { ...event, payment: known });
    }
    if (isCounted) {
      await this.notifyListeners(client, link, saved, change, true);
      await this.appendEvent(client, 'paylink-paid', { ...event, payment: saved });
    }
    const wasNotified = after.isNotified;
    if (!isQuiet)
      await this.notifyMerchant(client, counted, { known, after: saved, wasNotified }, { nowMs, context });
    await this.followException(client, counted, { known, after: saved }, { nowMs, context });
    for (const stray of strays) await this.recordStray(client, link, after.txHash, stray, { nowMs, context });
    await this.followParts(client, counted, { known, after: saved, parts }, { nowMs, context });
    return saved;
  }

  /** Stores the dollar value of a counted payment. The value is added to the day that counted the payment. */
  async value(client: TransactionClient, link: PayLink, known: Payment, cause: Cause): Promise<void> {
    const valueUsd = this.values.of(link, paidAmount(known));
    if (valueUsd === null) return;
    const payment: Payment = { ...known, valueUsd, version: known.version + 1 };
    await this.payments.save(client, payment);
    const [{ version }, changedAtMs] = [payment, known.decidedAtMs!];
    await this.notifyListeners(client, link, payment, { version, changedAtMs }, true);
    const event = { link, payment, version, changedAtMs, ...cause };
    await this.appendEvent(client, 'paylink-payment-valued', event);
  }

  /** The value of a payment by checkout is the value of its order. */
  private valueOf(link: PayLink, payment: Payment): string | null {
    if (payment.orderId !== null) return payment.valueUsd;
    return payment.status === 'counted' ? this.values.of(link, paidAmount(payment)) : null;
  }

  private async notifyMerchant(
    client: TransactionClient,
    link: PayLink,
    change: { known: Payment | undefined; after: Payment; wasNotified: boolean },
    { nowMs, context: { traceparent } }: Cause,
  ): Promise<void> {
    const message = webhookOf(link, change);
    if (message) await notifyMerchant(client, { wallet: link.wallet, ...message, nowMs, traceparent });
  }

  private async followException(
    client: TransactionClient,
    link: PayLink,
    { known, after }: { known: Payment | undefined; after: Payment },
    { nowMs, context: { traceparent } }: Cause,
  ): Promise<void> {
    const found = exceptionIn(link, after);
    const about = { wallet: link.wallet, reference: `paylink:${after.id}`, nowMs, traceparent };
    if (found) {
      const { chain, txHash } = after;
      const { payer } = after.transfer!;
      const where = { paylinkId: link.id, orderId: after.orderId, chain, token: link.token, txHash, payer };
      await recordException(client, { ...about, ...where, ...found });
    } else if (known && exceptionIn(link, known)) {
      const isComplete = after.status === 'counted' || after.partOf !== null;
      await resolveException(client, { ...about, resolution: isComplete ? 'completed' : 'reverted' });
    }
    if (after.status !== 'counted' || !after.transfer) return;
    // The transfer may have an exception from an earlier report for another link.
    const reference = strayReference(after.chain, after.txHash, after.transfer.logIndex);
    await resolveException(client, { wallet: link.wallet, reference, resolution: 'completed', nowMs });
  }

  private async recordStray(
    client: TransactionClient,
    link: PayLink,
    txHash: string,
    { logIndex, ...stray }: Stray,
    { nowMs, context: { traceparent } }: Cause,
  ): Promise<void> {
    const reference = strayReference(stray.chain, txHash, logIndex);
    const about = { wallet: link.wallet, reference, paylinkId: link.id, orderId: null, txHash };
    await recordException(client, { ...stray, ...about, nowMs, traceparent });
  }

  /**
   * Assigns partial payments to the payment that they complete. When a payment loses one of its parts, it becomes
   * partial again.
   */
  private async followParts(
    client: TransactionClient,
    link: PayLink,
    { known, after, parts }: { known: Payment | undefined; after: Payment; parts: readonly Part[] },
    cause: Cause,
  ): Promise<void> {
    const kept = parts.map(({ id }) => id);
    const before = known?.partsAmount ? await this.payments.partsOf(client, known.id, link.id) : [];
    const released = before.filter((id) => !kept.includes(id));
    for (const part of await this.payments.assignParts(client, released, null))
      await this.followException(client, link, { known: undefined, after: part }, cause);
    for (const part of await this.payments.assignParts(client, kept, after.id))
      await this.followException(client, link, { known: { ...part, partOf: null }, after: part }, cause);
    if (!known?.partOf || after.partOf !== null) return;
    const whole = await this.payments.findById(link.id, known.partOf, client);
    if (whole) await this.reopen(client, link, whole, cause);
  }

  /** Makes a payment that has lost a part partial again. */
  private async reopen(
    client: TransactionClient,
    link: PayLink,
    whole: Payment,
    cause: Cause,
  ): Promise<void> {
    const after: Payment = {
      ...whole,
      status: 'partial',
      partsAmount: null,
      reason: tooLittle(link, whole.transfer!.amount, 0n),
      version: whole.version + 1,
      decidedAtMs: cause.nowMs,
    };
    await this.apply(client, link, { known: whole, after }, cause);
  }

  /** Skips payments by checkout, because the ledger and the dashboard already have their orders. */
  private async notifyListeners(
    client: TransactionClient,
    link: PayLink,
    payment: Payment,
    change: Pick<CountedPayment, 'version' | 'changedAtMs'>,
    isCounted: boolean,
  ): Promise<void> {
    if (payment.orderId !== null) return;
    for (const listener of this.listeners)
      await listener.onPayment(countedOf(link, payment, change), isCounted, client);
  }

  private async appendEvent(
    client: TransactionClient,
    type: keyof typeof paylinkEvents,
    { link, payment, version, nowMs, changedAtMs = nowMs, context }: PaymentEvent,
  ): Promise<void> {
    const data: PayLinkPaymentChanged = {
      payment_id: payment.id,
      paylink_id: link.id,
      wallet_address: link.wallet,
      name: link.name,
      tx_hash: payment.txHash,
      amount: String(paidAmount(payment)),
      token: link.token,
      network: networkOf(link.chain),
      payer: payment.transfer!.payer,
      value_usd: payment.valueUsd,
      verified: payment.isVerified,
      confirmed: payment.isConfirmed,
      order_id: payment.orderId,
      payment_count: link.paymentCount,
      version,
      updated_at: new Date(changedAtMs).toISOString(),
    };
    const event = { aggregateId: payment.id, aggregateVersion: version, occurredAtMs: nowMs, data };
    await appendEvents(client, paylinkEvents[type], [event], context);
  }
}

function countedOf(
  link: PayLink,
  payment: Payment,
  change: Pick<CountedPayment, 'version' | 'changedAtMs'>,
): CountedPayment {
  return {
    id: payment.id,
    wallet: link.wallet,
    linkId: link.id,
    linkName: link.name,
    chain: link.chain,
    token: link.token,
    decimals: link.decimals,
    amount: paidAmount(payment),
    txHash: payment.txHash,
    payer: payment.transfer!.payer,
    valueUsd: payment.valueUsd,
    isVerified: payment.isVerified,
    isConfirmed: payment.isConfirmed,
    ...change,
  };
}

/** The webhook of a change; undefined when the merchant needs no notification. */
function webhookOf(
  link: PayLink,
  {
    known,
    after: payment,
    wasNotified,
  }: { known: Payment | undefined; after: Payment; wasNotified: boolean },
) {
  const data = messageOf(link, payment);
  const isReverted = known?.status === 'counted';
  switch (payment.status) {
    case 'counted':
      return wasNotified ? undefined : ({ type: 'paylink.paid', data } as const);
    case 'pending':
    case 'partial': {
      if (!isReverted) return undefined;
      const reason = payment.reason ?? droppedByChain;
      return {
        type: 'paylink.payment_reverted',
        data: { ...messageOf(link, known), verified: false, reason },
      } as const;
    }
    case 'unverifiable':
      return { type: 'paylink.payment_unverifiable', data } as const;
    case 'excess':
    case 'late':
    case 'inactive':
    case 'rejected':
      return { type: 'paylink.payment_rejected', data: { ...data, reason: payment.reason! } } as const;
  }
}

/** The common fields of all webhooks of a payment. */
function messageOf(link: PayLink, payment: Payment) {
  return {
    payment_id: payment.id,
    paylink_id: link.id,
    name: link.name,
    metadata: link.metadata,
    tx_hash: payment.txHash,
    amount: String(payment.transfer ? paidAmount(payment) : leastAmount(link)),
    token: link.token,
    network: networkOf(link.chain),
    payment_count: link.paymentCount,
    verified: payment.isVerified,
  };
}
