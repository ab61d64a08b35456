import { Inject, Injectable } from '@nestjs/common';
import { paylinkEvents, type PayLinkPaymentChanged } from '@tollbridge/contracts';
import { DomainError, type CallContext } from '@tollbridge/rpc';
import { Clock, Database, transaction, type TransactionClient } from '@tollbridge/database';
import { OutboxWorker } from '@tollbridge/bootstrap';
import { v7 as uuid } from 'uuid';
import { ownValue } from '@tollbridge/chain-port';
import { ChainNodes } from '../chains/chain-nodes';
import { TokenValues } from '../chains/token-values';
import { appendEvents } from '../events/events.repository';
import { notifyMerchant } from '../webhooks/webhook-outbox';
import { isUsedUp, leastAmount, type PayLink } from './paylink';
import { PayLinkListeners, type CountedPayment, type PayLinkListener } from './paylink-listener';
import { PayLinkPaymentsRepository, type TransferKey } from './paylink-payments.repository';
import { networkOf } from './paylink-view';
import { PayLinksRepository } from './paylinks.repository';
import {
  afterDecision,
  alreadyCounted,
  claimedByOwner,
  contested,
  decideUnverifiable,
  isUndecided,
  decide,
  type Payment,
  type ChainObservation,
  type Decision,
  type Finality,
} from './payment';
import { TransferClaims } from './transfer-claims';
import { paysAnOrder } from './transfer';

/** A transaction that is reported for a link. */
export interface Reported {
  linkId: string;
  chain: string;
  txHash: string;
}

/** An observation of a reported transaction. */
interface Observed {
  reported: Reported;
  observation: ChainObservation;
  context: CallContext;
  /** Whether it settles an order, even if the order has changed since. */
  paysOrder?: boolean;
}

/** A locked link, and the links that compete for the transaction. */
interface Locked {
  link: PayLink;
  /** Links of other wallets to the same receiver that have taken a transfer of the transaction, locked too. */
  others: readonly PayLink[];
}

/** The content of an event. */
interface PaymentEvent {
  link: PayLink;
  payment: Payment;
  version: number;
  nowMs: number;
  /** `nowMs` by default. */
  changedAtMs?: number;
  context: CallContext;
}

/** The payment after a report, or why the report was rejected; a rejected new report is not stored. */
export type Settled = { payment: Payment } | { rejection: string };

// Unseen transactions may never come, but are checked all the same.
const maxUnseen = 50;
// Anyone can invent hashes on a chain without a node; the merchant reviews this many by hand.
const maxUnverifiable = 100;
// Few of them count; the others are rejected by their next check.
const maxDropped = 100;
// Without a node there are no confirmations to wait for.
const withoutNode = { confirmations: 1, blockTimeMs: 0, paceMs: 1_000 };

/**
 * Turns observations of the chain into payments, with everything that follows, in one transaction. Settlements of one
 * link are serialised by its row, which holds the count; settlements of one transaction are serialised too.
 */
@Injectable()
export class SettlePayment {
  constructor(
    private readonly database: Database,
    private readonly links: PayLinksRepository,
    private readonly payments: PayLinkPaymentsRepository,
    private readonly claims: TransferClaims,
    private readonly chains: ChainNodes,
    private readonly values: TokenValues,
    private readonly outbox: OutboxWorker,
    @Inject(Clock) private readonly clock: Clock,
    @Inject(PayLinkListeners) private readonly listeners: readonly PayLinkListener[],
  ) {}

  /**
   * Settles a new report. A repeated report returns the stored payment. `also` writes in the same transaction; it is not
   * called when the link was deleted meanwhile.
   */
  async report(
    reported: Reported,
    observation: ChainObservation,
    context: CallContext,
    also: (settled: Settled, client: TransactionClient) => Promise<void>,
  ): Promise<void> {
    await this.inTransaction(reported, async (client, locked) => {
      const { link } = locked;
      if (link.isDeleted) return;
      const known = await this.payments.find(link.id, reported.txHash, client);
      const isAnswered = known !== undefined && known.status !== 'rejected';
      const settled = isAnswered
        ? { payment: known }
        : await this.settle(client, locked, known, { reported, observation, context });
      await also(settled, client);
    });
  }

  /** Settles a later observation of a stored payment. */
  async follow(reported: Reported, observation: ChainObservation, context: CallContext): Promise<void> {
    await this.inTransaction(reported, async (client, locked) => {
      const known = await this.payments.find(locked.link.id, reported.txHash, client);
      if (known) await this.settle(client, locked, known, { reported, observation, context });
    });
  }

  /**
   * Stores the merchant's decision on an unverifiable payment; the same decision again changes nothing. `also` writes in
   * the same transaction; it is not called when the link was deleted meanwhile.
   * @throws DomainError CONFLICT when the payment is decided otherwise, or cannot count
   */
  async decide(
    reported: Reported,
    isConfirmed: boolean,
    context: CallContext,
    also: (payment: Payment, client: TransactionClient) => Promise<void>,
  ): Promise<void> {
    await this.inTransaction(reported, async (client, locked) => {
      const { link } = locked;
      const known = link.isDeleted ? undefined : await this.payments.find(link.id, reported.txHash, client);
      if (!known) return;
      if (!isUndecided(known)) {
        const isSame = isConfirmed ? known.isConfirmed : known.status === 'rejected';
        if (isSame) return also(known, client);
        throw new DomainError(
          'CONFLICT',
          `This payment is ${known.status}; only an unverifiable one can be decided.`,
        );
      }
      const change = { nowMs: this.clock.now(), context };
      if (isConfirmed) await this.makeRoom(client, locked, known, change);
      const after = decideUnverifiable(link, known, { isConfirmed, nowMs: change.nowMs });
      await also(await this.change(client, link, { known, after }, change), client);
    });
  }

  /** @throws DomainError CONFLICT when the payment cannot count, even if the merchant confirms it */
  private async makeRoom(
    client: TransactionClient,
    locked: Locked,
    payment: Payment,
    change: { nowMs: number; context: CallContext },
  ): Promise<void> {
    const { link } = locked;
    // An earlier version may have counted it already.
    if (payment.status !== 'counted' && isUsedUp(link))
      throw new DomainError(
        'CONFLICT',
        'The PayLink has reached maxPayments. Raise maxPayments to confirm more payments.',
      );
    const claims = await this.claims.of(client, link, payment, {
      finality: withoutNode,
      nowMs: change.nowMs,
    });
    const { owners, taken, paysOrder, contestedFrom } = claims;
    // No later check follows, so conflicts are rejected here.
    if (paysOrder) throw new DomainError('CONFLICT', paysAnOrder);
    if (taken.length > 0) throw new DomainError('CONFLICT', alreadyCounted);
    if (contestedFrom !== null && leastAmount(link) >= contestedFrom)
      throw new DomainError('CONFLICT', contested);
    if (owners.includes(link.wallet)) await this.displace(client, locked, payment, ownValue, owners, change);
  }

  /** Values a counted payment that had no price. A payment that has changed meanwhile stays as it is. */
  async value(reported: Reported, context: CallContext): Promise<void> {
    await this.inTransaction(reported, async (client, { link }) => {
      const known = await this.payments.find(link.id, reported.txHash, client);
      if (known?.status !== 'counted' || known.valueUsd !== null) return;
      const valueUsd = this.values.of(link, known.transfer!.amount);
      if (valueUsd === null) return;
      const payment: Payment = { ...known, valueUsd, version: known.version + 1 };
      await this.payments.save(client, payment);
      // It stays in the sums of the day on which it was counted.
      const [{ version }, changedAtMs] = [payment, known.decidedAtMs!];
      await this.notifyListeners(client, countedOf(link, payment, { version, changedAtMs }), true);
      const event = { link, payment, version, nowMs: this.clock.now(), changedAtMs, context };
      await this.appendEvent(client, 'paylink-payment-valued', event);
    });
  }

  /**
   * Reverts payments by transactions that settle orders, which `client` has recorded. The locks of the transactions are
   * taken in one order, before those of links.
   */
  async assignToOrders(
    client: TransactionClient,
    transfers: readonly TransferKey[],
    context: CallContext,
  ): Promise<void> {
    if (transfers.length === 0) return;
    await this.payments.lockTransactions(client, transfers);
    const claims: Payment[] = [];
    for (const { chain, txHash } of await this.payments.findClaimed(client, transfers))
      claims.push(...(await this.payments.claimsOf(client, chain, txHash, maxDropped)));
    const linkIds = [...new Set(claims.map(({ linkId }) => linkId))].sort();
    for (const linkId of linkIds) await this.links.lock(client, linkId);
    const observation = { kind: 'unavailable' } as const;
    for (const known of claims) {
      // Read for each claim: the previous one may have changed the link's count.
      const link = await this.links.lock(client, known.linkId);
      if (link)
        await this.settle(client, { link, others: [] }, known, {
          reported: known,
          observation,
          context,
          paysOrder: true,
        });
    }
  }

  private async inTransaction(
    reported: Reported,
    work: (client: TransactionClient, locked: Locked) => Promise<void>,
  ): Promise<void> {
    const { linkId, chain, txHash } = reported;
    await transaction(this.database.pool, async (client) => {
      // Locks are taken in this order everywhere, so that settlements do not deadlock.
      await this.payments.lockTransactions(client, [{ chain, txHash }]);
      const links = await this.links.lockWithRivals(client, reported);
      const link = links.find(({ id }) => id === linkId);
      if (link) await work(client, { link, others: links.filter((other) => other !== link) });
    });
    this.outbox.wake();
  }

  private async settle(
    client: TransactionClient,
    locked: Locked,
    known: Payment | undefined,
    { reported, observation, context, paysOrder = false }: Observed,
  ): Promise<Settled> {
    const { link } = locked;
    const nowMs = this.clock.now();
    const { paceMs, ...finality } = this.finalityOf(link.chain);
    const claims = await this.claims.of(client, link, reported, { observation, finality, nowMs });
    const { owners, undecided, yielding } = claims;
    // An observation that is not mined does not decide earlier reports.
    if (undecided.length > 0 && observation.kind === 'mined')
      await this.payments.scheduleCheck(undecided, nowMs, client);
    const decision = decide({
      ...claims,
      link,
      payment: known ?? null,
      observation,
      finality,
      nowMs,
      isSecond: undecided.length > 0,
      paysOrder: paysOrder || claims.paysOrder,
    });
    if (!known && decision.become === 'rejected') return { rejection: decision.reason };
    const before = known ?? newPayment(reported, nowMs);
    await this.checkLimits(client, link, known, decision);
    const after = afterDecision(before, decision, { nowMs, paceMs });
    if (decision.become === 'same') {
      await this.payments.save(client, after);
      return { payment: after };
    }
    const change = { nowMs, context };
    if (after.transfer && yielding.includes(after.transfer.logIndex) && owners.includes(link.wallet))
      await this.displace(client, locked, after, after.transfer.logIndex, owners, change);
    return { payment: await this.change(client, link, { known, after }, change) };
  }

  /** Reverts payments of links with an unproven receiver: the transfer pays a link of an owner. */
  private async displace(
    client: TransactionClient,
    { others }: Locked,
    payment: Payment,
    logIndex: number,
    owners: readonly string[],
    change: { nowMs: number; context: CallContext },
  ): Promise<void> {
    for (const known of await this.payments.holdersOf(client, payment, logIndex)) {
      const link = others.find(({ id }) => id === known.linkId);
      if (!link || owners.includes(link.wallet)) continue;
      const decision = { become: 'rejected', reason: claimedByOwner } as const;
      const after = afterDecision(known, decision, { nowMs: change.nowMs, paceMs: 0 });
      await this.change(client, link, { known, after }, change);
    }
  }

  private finalityOf(chain: string): Finality & { paceMs: number } {
    const reader = this.chains.readerOf(chain);
    if (!reader) return withoutNode;
    const { confirmations, blockTimeMs } = reader.chain;
    return { confirmations, blockTimeMs, paceMs: reader.pollIntervalMs };
  }

  /** Bounds the reports of a link that need no payment. @throws DomainError CONFLICT at the limit */
  private async checkLimits(
    client: TransactionClient,
    link: PayLink,
    known: Payment | undefined,
    decision: Decision,
  ): Promise<void> {
    if (known && known.status !== 'rejected') return;
    const isUnseen = decision.become === 'pending' && !decision.transfer;
    if (isUnseen && (await this.payments.unseen(client, link.id, maxUnseen)) >= maxUnseen)
      throw new DomainError(
        'CONFLICT',
        `This PayLink already waits for ${maxUnseen} transactions that are not mined yet. Report this one when it is mined.`,
      );
    if (
      decision.become === 'unverifiable' &&
      (await this.payments.unverifiable(client, link.id, maxUnverifiable)) >= maxUnverifiable
    )
      throw new DomainError(
        'CONFLICT',
        `${maxUnverifiable} payments of this PayLink already wait for the decision of the merchant. Report this one later.`,
      );
  }

  /** Stores a changed payment, updates the counts, and emits what follows. */
  private async change(
    client: TransactionClient,
    link: PayLink,
    { known, after }: { known: Payment | undefined; after: Payment },
    { nowMs, context }: { nowMs: number; context: CallContext },
  ): Promise<Payment> {
    const isReverted = known?.status === 'counted';
    const isCounted = after.status === 'counted';
    const valueUsd = isCounted ? this.values.of(link, after.transfer!.amount) : null;
    const saved: Payment = { ...after, valueUsd, isNotified: after.isNotified || isCounted };
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
      await this.notifyListeners(client, countedOf(link, known, change), false);
      if (!isCounted) await this.appendEvent(client, 'paylink-payment-reorged', { ...event, payment: known });
    }
    if (isCounted) {
      await this.notifyListeners(client, countedOf(link, saved, change), true);
      await this.appendEvent(client, 'paylink-paid', { ...event, payment: saved });
    }
    if (isCounted ? !after.isNotified : saved.status !== 'pending')
      await notifyMerchant(client, {
        wallet: link.wallet,
        ...webhookOf(counted, saved),
        nowMs,
        traceparent: context.traceparent,
      });
    return saved;
  }

  private async notifyListeners(
    client: TransactionClient,
    payment: CountedPayment,
    isCounted: boolean,
  ): Promise<void> {
    for (const listener of this.listeners) await listener.onPayment(payment, isCounted, client);
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
      amount: String(payment.transfer!.amount),
      token: link.token,
      network: networkOf(link.chain),
      payer: payment.transfer!.payer,
      value_usd: payment.valueUsd,
      verified: payment.isVerified,
      confirmed: payment.isConfirmed,
      payment_count: link.paymentCount,
      version,
      updated_at: new Date(changedAtMs).toISOString(),
    };
    const event = { aggregateId: payment.id, aggregateVersion: version, occurredAtMs: nowMs, data };
    await appendEvents(client, paylinkEvents[type], [event], context);
  }
}

function newPayment({ linkId, chain, txHash }: Reported, nowMs: number): Payment {
  return {
    id: uuid(),
    linkId,
    chain,
    txHash,
    status: 'pending',
    isVerified: false,
    isConfirmed: false,
    reason: null,
    transfer: null,
    block: null,
    valueUsd: null,
    isNotified: false,
    pendingSinceMs: nowMs,
    nextCheckAtMs: null,
    version: 0,
    recordedAtMs: nowMs,
    decidedAtMs: null,
    balanceAtReport: null,
  };
}

function countedOf(
  link: PayLink,
  payment: Payment,
  change: Pick<CountedPayment, 'version' | 'changedAtMs'>,
): CountedPayment {
  const { amount, payer } = payment.transfer!;
  return {
    id: payment.id,
    wallet: link.wallet,
    linkId: link.id,
    linkName: link.name,
    chain: link.chain,
    token: link.token,
    decimals: link.decimals,
    amount,
    txHash: payment.txHash,
    payer,
    valueUsd: payment.valueUsd,
    isVerified: payment.isVerified,
    isConfirmed: payment.isConfirmed,
    ...change,
  };
}

/** The webhook of a decided or unverifiable payment. */
function webhookOf(link: PayLink, payment: Payment) {
  const data = messageOf(link, payment);
  if (payment.status === 'counted') return { type: 'paylink.paid', data } as const;
  if (payment.status === 'unverifiable')
    return { type: 'paylink.payment_unverifiable', data: { ...data, payment_id: payment.id } } as const;
  return { type: 'paylink.payment_rejected', data: { ...data, reason: payment.reason! } } as const;
}

/** The fields that all webhooks of a payment share. */
function messageOf(link: PayLink, payment: Payment) {
  return {
    paylink_id: link.id,
    name: link.name,
    metadata: link.metadata,
    tx_hash: payment.txHash,
    amount: String(payment.transfer?.amount ?? leastAmount(link)),
    token: link.token,
    network: networkOf(link.chain),
    payment_count: link.paymentCount,
    verified: payment.isVerified,
  };
}
