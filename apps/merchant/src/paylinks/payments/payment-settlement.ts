import { Inject, Injectable } from '@nestjs/common';
import { DomainError, type CallContext } from '@tollbridge/rpc';
import { Clock, type TransactionClient } from '@tollbridge/database';
import { ownValue } from '@tollbridge/chain-port';
import { reorgWindow } from '@tollbridge/chains';
import { ChainNodes } from '../../chains/chain-nodes';
import { countStrays } from '../../exceptions/record-exception';
import { isUsedUp, leastTransfer, type PayLink } from '../paylink';
import { newPayment } from './new-payment';
import { PayLinkPaymentsRepository, type TransferKey } from './paylink-payments.repository';
import { PayLinksRepository } from '../paylinks.repository';
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
import { PaymentChanges, type Cause } from './payment-changes';
import { SettlementTransactions, type Locked, type Reported } from './settlement-transactions';
import { TransferClaims } from './transfer-claims';
import { paysAnOrder } from './transfer';

/** A stored report. The id is needed, because a checkout of the link may have the same transaction. */
type Stored = Reported & Pick<Payment, 'id'>;

/** An observation of a reported transaction. */
interface Observed {
  reported: Reported;
  observation: ChainObservation;
  context: CallContext;
  /** Whether the transaction settles an order, even if the order has changed since. */
  paysOrder?: boolean;
  /** Whether another message notifies the merchant of the change. */
  isQuiet?: boolean;
}

/** An order that is a checkout of a link. */
interface LinkOfOrder {
  orderId: string;
  linkId: string;
}

/** The payment after a report, or the reason of the rejection. A rejected new report is not stored. */
export type Settled = { payment: Payment } | { rejection: string };

// Each unseen transaction is checked on the chain, although it may never arrive.
const maxUnseen = 50;
// Any client can invent hashes on a chain without a node, and the merchant reviews each payment manually.
const maxUnverifiable = 100;
// Any client may report small transfers to the receiver.
const maxPartial = 100;
const maxStrays = 100;
// Only a few of them count. Later checks reject the others.
const maxDropped = 100;
// Without a node, the number of confirmations is unknown, so none are required.
const withoutNode = { confirmations: 1, window: 1, blockTimeMs: 0, paceMs: 1_000 };

/** Turns observations of the chain into payments, and stores all consequences in one transaction. */
@Injectable()
export class PaymentSettlement {
  constructor(
    private readonly transactions: SettlementTransactions,
    private readonly links: PayLinksRepository,
    private readonly payments: PayLinkPaymentsRepository,
    private readonly claims: TransferClaims,
    private readonly chains: ChainNodes,
    private readonly changes: PaymentChanges,
    @Inject(Clock) private readonly clock: Clock,
  ) {}

  /**
   * Settles a new report. A repeated report returns the stored payment.
   * @param also makes further writes in the same transaction; not called when the link was deleted meanwhile
   */
  async report(
    reported: Reported,
    observation: ChainObservation,
    context: CallContext,
    also: (settled: Settled, client: TransactionClient) => Promise<void>,
  ): Promise<void> {
    await this.transactions.run({ reported, observation }, async (client, locked) => {
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
  async follow(reported: Stored, observation: ChainObservation, context: CallContext): Promise<void> {
    await this.transactions.run({ reported, observation }, async (client, locked) => {
      const known = await this.payments.findById(locked.link.id, reported.id, client);
      if (known) await this.settle(client, locked, known, { reported, observation, context });
    });
  }

  /**
   * Stores the merchant's decision on an unverifiable payment. Repeating the same decision changes nothing.
   * @param also makes further writes in the same transaction; not called when the link was deleted meanwhile
   * @throws DomainError CONFLICT when the payment has another decision, or cannot count
   */
  async decide(
    reported: Stored,
    isConfirmed: boolean,
    context: CallContext,
    also: (payment: Payment, client: TransactionClient) => Promise<void>,
  ): Promise<void> {
    await this.transactions.run({ reported }, async (client, locked) => {
      const { link } = locked;
      const known = link.isDeleted ? undefined : await this.payments.findById(link.id, reported.id, client);
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
      await also(await this.changes.apply(client, link, { known, after }, change), client);
    });
  }

  /**
   * Checks that a payment can count, and reverts payments with a lower priority.
   * @throws DomainError CONFLICT when the payment cannot count, even if the merchant confirms it
   */
  private async makeRoom(
    client: TransactionClient,
    locked: Locked,
    payment: Payment,
    change: Cause,
  ): Promise<void> {
    const { link } = locked;
    // An earlier version may have counted the payment already.
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
    // No later check follows, so this call must reject conflicts.
    if (paysOrder) throw new DomainError('CONFLICT', paysAnOrder);
    if (taken.length > 0) throw new DomainError('CONFLICT', alreadyCounted);
    if (contestedFrom !== null && leastTransfer(link) >= contestedFrom)
      throw new DomainError('CONFLICT', contested);
    if (owners.includes(link.wallet)) await this.displace(client, locked, payment, ownValue, owners, change);
  }

  /**
   * Adds the dollar value to a counted payment that had no price. Leaves the payment unchanged when its state changed
   * meanwhile.
   */
  async value(reported: Stored, context: CallContext): Promise<void> {
    await this.transactions.run({ reported }, async (client, { link }) => {
      const known = await this.payments.findById(link.id, reported.id, client);
      if (known?.status !== 'counted' || known.valueUsd !== null) return;
      await this.changes.value(client, link, known, { nowMs: this.clock.now(), context });
    });
  }

  /**
   * Reverts payments by transactions that settle orders, which the transaction of `client` has recorded. Locks the
   * transactions first, then the checkouts, then the links, each in a fixed order.
   * @param checkouts locks the orders that are checkouts of links
   */
  async assignToOrders(
    client: TransactionClient,
    transfers: readonly (TransferKey & { orderId: string })[],
    { checkouts, context }: { checkouts: () => Promise<LinkOfOrder[]>; context: CallContext },
  ): Promise<void> {
    await this.payments.lockTransactions(client, transfers);
    const own = await checkouts();
    const claims: Payment[] = [];
    for (const { chain, txHash } of await this.payments.findClaimed(client, transfers))
      claims.push(...(await this.payments.claimsOf(client, chain, txHash, maxDropped)));
    const linkIds = [...new Set([...claims, ...own].map(({ linkId }) => linkId))].sort();
    for (const linkId of linkIds) await this.links.lock(client, linkId);
    const observation = { kind: 'unavailable' } as const;
    for (const known of claims) {
      // Read again for each claim, because the previous one may have changed the link's count.
      const link = await this.links.lock(client, known.linkId);
      const ofOrders = transfers.filter(({ txHash }) => txHash === known.txHash);
      // When the order counts for the same link, its own webhook notifies the merchant.
      const isQuiet = ofOrders.some(({ orderId }) =>
        own.some((it) => it.orderId === orderId && it.linkId === known.linkId),
      );
      const observed = { reported: known, observation, context, paysOrder: true, isQuiet };
      if (link) await this.settle(client, { link, others: [] }, known, observed);
    }
  }

  private async settle(
    client: TransactionClient,
    locked: Locked,
    known: Payment | undefined,
    { reported, observation, context, paysOrder = false, isQuiet = false }: Observed,
  ): Promise<Settled> {
    const { link } = locked;
    const nowMs = this.clock.now();
    const { paceMs, ...finality } = this.finalityOf(link.chain);
    const claims = await this.claims.of(client, link, reported, { observation, finality, nowMs });
    const { owners, undecided, yielding } = claims;
    // Earlier reports can only be decided when the transaction is mined.
    if (undecided.length > 0 && observation.kind === 'mined')
      await this.payments.scheduleCheck(undecided, nowMs, client);
    const wanted = decide({
      ...claims,
      link,
      chain: this.chains.find(link.chain)!,
      payment: known ?? null,
      observation,
      finality,
      nowMs,
      isSecond: undecided.length > 0,
      parts:
        observation.kind === 'mined' ? await this.payments.parts(client, link.id, known?.id ?? null) : [],
      paysOrder: paysOrder || claims.paysOrder,
    });
    const decision = await this.withinBounds(client, link, wanted);
    const strays = 'strays' in decision ? decision.strays : undefined;
    if (!known && decision.become === 'rejected' && !strays) return { rejection: decision.reason };
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
    const parts = 'parts' in decision ? decision.parts : undefined;
    // When a new report is rejected with exceptions, these notify the merchant.
    const isSilent = isQuiet || (!known && strays !== undefined);
    const done = { known, after, isQuiet: isSilent, ...(parts && { parts }), ...(strays && { strays }) };
    return { payment: await this.changes.apply(client, link, done, change) };
  }

  /** Reverts payments of links with an unproven receiver, because the transfer pays a link of a proven owner. */
  private async displace(
    client: TransactionClient,
    { others }: Locked,
    payment: Payment,
    logIndex: number,
    owners: readonly string[],
    change: Cause,
  ): Promise<void> {
    for (const known of await this.payments.holdersOf(client, payment, logIndex)) {
      const link = others.find(({ id }) => id === known.linkId);
      if (!link || owners.includes(link.wallet)) continue;
      const decision = { become: 'rejected', reason: claimedByOwner } as const;
      const after = afterDecision(known, decision, { nowMs: change.nowMs, paceMs: 0 });
      await this.changes.apply(client, link, { known, after }, change);
    }
  }

  private finalityOf(chain: string): Finality & { paceMs: number } {
    const reader = this.chains.readerOf(chain);
    if (!reader) return withoutNode;
    const { confirmations, blockTimeMs } = reader.chain;
    return { confirmations, window: reorgWindow(reader.chain), blockTimeMs, paceMs: reader.pollIntervalMs };
  }

  /**
   * Rejects a partial payment or stray transfer above the limit of its link, because any client may send and report
   * tiny amounts.
   */
  private async withinBounds(
    client: TransactionClient,
    { id, wallet }: PayLink,
    decision: Decision,
  ): Promise<Decision> {
    if (decision.become === 'partial') {
      const count = await this.payments.waiting(client, id, 'partial', maxPartial);
      return count < maxPartial ? decision : { become: 'rejected', reason: decision.reason };
    }
    if (decision.become !== 'rejected' || !decision.strays) return decision;
    // Above the limit, no exception notifies the merchant, so the reason must not say that.
    const { reason } = decision.strays[0]!;
    const count = await countStrays(client, { wallet, paylinkId: id }, maxStrays);
    return count < maxStrays ? decision : { become: 'rejected', reason };
  }

  /** Limits the reports that need no payment. @throws DomainError CONFLICT at the limit */
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
      (await this.payments.waiting(client, link.id, 'unverifiable', maxUnverifiable)) >= maxUnverifiable
    )
      throw new DomainError(
        'CONFLICT',
        `${maxUnverifiable} payments of this PayLink already wait for the decision of the merchant. Report this one later.`,
      );
  }
}
