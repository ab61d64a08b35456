import { Inject, Injectable } from '@nestjs/common';
import { paylinkEvents, type PayLinkPaymentChanged } from '@tollbridge/contracts';
import { DomainError, subjectOf, type CallContext } from '@tollbridge/rpc';
import { Clock, Database, transaction, type TransactionClient } from '@tollbridge/database';
import { OutboxWorker } from '@tollbridge/bootstrap';
import { v7 as uuid } from 'uuid';
import { ChainNodes } from '../chains/chain-nodes';
import { TokenValues } from '../chains/token-values';
import { notifyMerchant } from '../webhooks/webhook-outbox';
import { isUsedUp, leastAmount, type PayLink } from './paylink';
import { PayLinkListeners, type CountedPayment, type PayLinkListener } from './paylink-listener';
import { PayLinkPaymentsRepository, type TransferKey } from './paylink-payments.repository';
import { networkOf } from './paylink-view';
import { PayLinksRepository } from './paylinks.repository';
import {
  afterVerdict,
  alreadyCounted,
  claimedByOwner,
  contested,
  decideUnverifiable,
  isUndecided,
  judge,
  type Payment,
  type Sight,
  type Verdict,
} from './payment';
import { TransferClaims } from './transfer-claims';
import { ownValue, paysAnOrder } from './transfer';

/** A transaction that is said to pay a link. */
export interface Reported {
  linkId: string;
  chain: string;
  txHash: string;
}

/** What was seen of a transaction that is said to pay a link. */
interface Seen {
  reported: Reported;
  sight: Sight;
  context: CallContext;
  /** Known to settle an order, also when the order has changed since. */
  paysOrder?: boolean;
}

/** A link under its lock, and what it shares with others. */
interface Locked {
  link: PayLink;
  /** Links of other wallets to the same receiver that have a transfer of the transaction, locked too. */
  others: readonly PayLink[];
}

/** What an event tells. */
interface Told {
  link: PayLink;
  payment: Payment;
  version: number;
  nowMs: number;
  /** `nowMs` unless given. */
  changedAtMs?: number;
  context: CallContext;
}

/** The payment as it stands then; or why the report was refused, of which nothing is kept. */
export type Settled = { payment: Payment } | { refused: string };

// What nobody has seen may never come: it is looked for all the same, and must stay little.
const maxUnseen = 50;
// Anybody can make up hashes on a chain that no node verifies; the merchant reviews this many by hand.
const maxUnverifiable = 100;
// Counted ones are few; who only waits is refused by his next look.
const maxDropped = 100;
// Where no node says how deep is deep, nothing is judged by depth.
const blindDepth = { confirmations: 1, blockTimeMs: 0, paceMs: 1_000 };

/**
 * Turns what was seen on a chain into a payment and all that follows from it, in one transaction: of the link's row,
 * which bears the count, and of everybody who judges the same transaction, one works at a time.
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
   * A new report; one that was made before gets its answer again. `also` writes in the same transaction, and is not called
   * when the link was deleted meanwhile.
   */
  async report(
    reported: Reported,
    sight: Sight,
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
        : await this.settle(client, locked, known, { reported, sight, context });
      await also(settled, client);
    });
  }

  /** What a later look has shown. */
  async follow(reported: Reported, sight: Sight, context: CallContext): Promise<void> {
    await this.inTransaction(reported, async (client, locked) => {
      const known = await this.payments.find(locked.link.id, reported.txHash, client);
      if (known) await this.settle(client, locked, known, { reported, sight, context });
    });
  }

  /**
   * Stores the merchant's decision over a payment that cannot be verified; the same decision again changes nothing. `also`
   * writes in the same transaction, and is not called when the link was deleted meanwhile.
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

  /** @throws DomainError CONFLICT when the payment cannot count, also by the merchant's word */
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
    const claims = await this.claims.of(client, link, payment, { depth: blindDepth, nowMs: change.nowMs });
    const { owners, taken, paysOrder, contestedFrom } = claims;
    // Orders take back at most a hundred claims at once, and no later look follows here.
    if (paysOrder) throw new DomainError('CONFLICT', paysAnOrder);
    if (taken.length > 0) throw new DomainError('CONFLICT', alreadyCounted);
    if (contestedFrom !== null && leastAmount(link) >= contestedFrom)
      throw new DomainError('CONFLICT', contested);
    if (owners.includes(link.wallet)) await this.displace(client, locked, payment, ownValue, owners, change);
  }

  /** Gives a counted payment the value for which there was no price; what has changed meanwhile stays as it is. */
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
      await this.tellListeners(client, countedOf(link, payment, { version, changedAtMs }), true);
      const told = { link, payment, version, nowMs: this.clock.now(), changedAtMs, context };
      await this.tellEvent(client, 'paylink-payment-valued', told);
    });
  }

  /**
   * These transactions settle orders, which `client` has recorded: nothing that they move pays a link. Their locks are
   * taken in one order, and before any link's.
   */
  async giveToOrders(
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
    const sight = { kind: 'silent' } as const;
    for (const known of claims) {
      // Read for each claim: the one before may have changed its count.
      const link = await this.links.lock(client, known.linkId);
      if (link)
        await this.settle(client, { link, others: [] }, known, {
          reported: known,
          sight,
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
      // In this order everywhere, so that two transactions never wait for each other.
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
    { reported, sight, context, paysOrder = false }: Seen,
  ): Promise<Settled> {
    const { link } = locked;
    const nowMs = this.clock.now();
    const { paceMs, ...depth } = this.depthOf(link.chain);
    const claims = await this.claims.of(client, link, reported, { sight, depth, nowMs });
    const { owners, undecided, yielding } = claims;
    // What is on no chain yet hurries nothing.
    if (undecided.length > 0 && sight.kind === 'mined')
      await this.payments.lookSoon(undecided, nowMs, client);
    const verdict = judge({
      ...{ ...claims, link, payment: known ?? null, sight, depth, nowMs },
      isSecond: undecided.length > 0,
      paysOrder: paysOrder || claims.paysOrder,
    });
    if (!known && verdict.become === 'rejected') return { refused: verdict.reason };
    const before = known ?? newPayment(reported, nowMs);
    await this.checkRoom(client, link, known, verdict);
    const after = afterVerdict(before, verdict, { nowMs, paceMs });
    if (verdict.become === 'same') {
      await this.payments.save(client, after);
      return { payment: after };
    }
    const change = { nowMs, context };
    if (after.transfer && yielding.includes(after.transfer.logIndex) && owners.includes(link.wallet))
      await this.displace(client, locked, after, after.transfer.logIndex, owners, change);
    return { payment: await this.change(client, link, { known, after }, change) };
  }

  /** Takes a transfer back from links of wallets that have not proven the receiver: it pays one of an owner. */
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
      const verdict = { become: 'rejected', reason: claimedByOwner } as const;
      const after = afterVerdict(known, verdict, { nowMs: change.nowMs, paceMs: 0 });
      await this.change(client, link, { known, after }, change);
    }
  }

  private depthOf(chain: string): { confirmations: number; blockTimeMs: number; paceMs: number } {
    const nodes = this.chains.nodesOf(chain);
    if (!nodes) return blindDepth;
    const { confirmations, blockTimeMs, pollIntervalMs } = nodes.chain;
    return { confirmations, blockTimeMs, paceMs: pollIntervalMs };
  }

  /** What anybody can report without having paid is bounded. */
  private async checkRoom(
    client: TransactionClient,
    link: PayLink,
    known: Payment | undefined,
    verdict: Verdict,
  ): Promise<void> {
    if (known && known.status !== 'rejected') return;
    const isUnseen = verdict.become === 'pending' && !verdict.transfer;
    if (isUnseen && (await this.payments.unseen(client, link.id, maxUnseen)) >= maxUnseen)
      throw new DomainError(
        'CONFLICT',
        `This PayLink already waits for ${maxUnseen} transactions that are not mined yet. Report this one when it is mined.`,
      );
    if (
      verdict.become === 'unverifiable' &&
      (await this.payments.unverifiable(client, link.id, maxUnverifiable)) >= maxUnverifiable
    )
      throw new DomainError(
        'CONFLICT',
        `${maxUnverifiable} payments of this PayLink already wait for the decision of the merchant. Report this one later.`,
      );
  }

  /** Writes a payment that is another one now, and lets follow what follows. */
  private async change(
    client: TransactionClient,
    link: PayLink,
    { known, after }: { known: Payment | undefined; after: Payment },
    { nowMs, context }: { nowMs: number; context: CallContext },
  ): Promise<Payment> {
    const isTakenBack = known?.status === 'counted';
    const isCounted = after.status === 'counted';
    const valueUsd = isCounted ? this.values.of(link, after.transfer!.amount) : null;
    const saved: Payment = { ...after, valueUsd, isTold: after.isTold || isCounted };
    await this.payments.save(client, saved);
    const payments = Number(isCounted) - Number(isTakenBack);
    const unverified = Number(isCounted && !after.isVerified) - Number(isTakenBack && !known.isVerified);
    const counted =
      payments === 0 && unverified === 0
        ? link
        : await this.links.count(client, link.id, { payments, unverified }, nowMs);
    const { version } = saved;
    const told = { link: counted, version, nowMs, context };
    const change = { version, changedAtMs: nowMs };
    if (isTakenBack) {
      await this.tellListeners(client, countedOf(link, known, change), false);
      if (!isCounted) await this.tellEvent(client, 'paylink-payment-reorged', { ...told, payment: known });
    }
    if (isCounted) {
      await this.tellListeners(client, countedOf(link, saved, change), true);
      await this.tellEvent(client, 'paylink-paid', { ...told, payment: saved });
      if (!after.isTold)
        await notifyMerchant(client, {
          wallet: link.wallet,
          type: 'paylink.paid',
          data: messageOf(counted, saved),
          nowMs,
        });
    } else if (saved.status === 'unverifiable') {
      const data = { ...messageOf(counted, saved), payment_id: saved.id };
      await notifyMerchant(client, {
        wallet: link.wallet,
        type: 'paylink.payment_unverifiable',
        data,
        nowMs,
      });
    } else if (saved.status !== 'pending') {
      const data = { ...messageOf(counted, saved), reason: saved.reason! };
      await notifyMerchant(client, { wallet: link.wallet, type: 'paylink.payment_rejected', data, nowMs });
    }
    return saved;
  }

  private async tellListeners(
    client: TransactionClient,
    payment: CountedPayment,
    isCounted: boolean,
  ): Promise<void> {
    for (const listener of this.listeners) await listener.onPayment(payment, isCounted, client);
  }

  private async tellEvent(
    client: TransactionClient,
    type: keyof typeof paylinkEvents,
    told: Told,
  ): Promise<void> {
    const { link, payment, version, nowMs, changedAtMs = nowMs, context } = told;
    const event = paylinkEvents[type];
    const id = uuid();
    const occurredAt = new Date(nowMs).toISOString();
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
    const { requestId, traceparent } = context;
    const about = { id, type, version: event.version, aggregateId: payment.id, aggregateVersion: version };
    const payload = { ...about, occurredAt, requestId, traceparent, data };
    await this.payments.tell(client, {
      id,
      subject: subjectOf(event, payment.id),
      aggregateId: payment.id,
      payload,
    });
  }
}

function newPayment({ linkId, chain, txHash }: Reported, nowMs: number): Payment {
  return {
    ...{
      id: uuid(),
      linkId,
      chain,
      txHash,
      status: 'pending',
      isVerified: false,
      isConfirmed: false,
      reason: null,
      transfer: null,
    },
    ...{ block: null, valueUsd: null, isTold: false, pendingSinceMs: nowMs, nextLookAtMs: null, version: 0 },
    ...{ recordedAtMs: nowMs, decidedAtMs: null, balanceAtReport: null },
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

/** What webhooks tell of a payment. */
function messageOf(link: PayLink, payment: Payment) {
  return {
    paylink_id: link.id,
    name: link.name,
    tx_hash: payment.txHash,
    amount: String(payment.transfer?.amount ?? leastAmount(link)),
    token: link.token,
    network: networkOf(link.chain),
    payment_count: link.paymentCount,
    verified: payment.isVerified,
  };
}
