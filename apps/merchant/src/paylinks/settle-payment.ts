import { Inject, Injectable } from '@nestjs/common';
import { paylinkEvents, type PayLinkPaymentChanged } from '@tollbridge/api';
import { DomainError, subjectOf, type CallContext } from '@tollbridge/bus';
import { Clock, Database, transaction, type TransactionClient } from '@tollbridge/data';
import { OutboxWorker } from '@tollbridge/service';
import { v7 as uuid } from 'uuid';
import { ChainNodes } from '../chains/chain-nodes';
import { TokenValues } from '../chains/token-values';
import { OrdersRepository } from '../orders/orders.repository';
import { tellMerchant } from '../webhooks/webhook-outbox';
import { isUsedUp, leastAmount, type PayLink } from './paylink';
import { PayLinkListeners, type CountedPayment, type PayLinkListener } from './paylink-listener';
import { PayLinkPaymentsRepository, type TransferKey } from './paylink-payments.repository';
import { networkOf } from './paylink-view';
import { PayLinksRepository } from './paylinks.repository';
import { afterVerdict, decideUnverifiable, judge, type Payment, type Sight, type Verdict } from './payment';
import { paysAnOrder } from './transfer';

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
    private readonly orders: OrdersRepository,
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
    await this.inTransaction(reported, async (client, link) => {
      if (link.isDeleted) return;
      const known = await this.payments.find(link.id, reported.txHash, client);
      const isAnswered = known !== undefined && known.status !== 'rejected';
      const settled = isAnswered
        ? { payment: known }
        : await this.settle(client, link, known, { reported, sight, context });
      await also(settled, client);
    });
  }

  /** What a later look has shown. */
  async follow(reported: Reported, sight: Sight, context: CallContext): Promise<void> {
    await this.inTransaction(reported, async (client, link) => {
      const known = await this.payments.find(link.id, reported.txHash, client);
      if (known) await this.settle(client, link, known, { reported, sight, context });
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
    await this.inTransaction(reported, async (client, link) => {
      const known = link.isDeleted ? undefined : await this.payments.find(link.id, reported.txHash, client);
      if (!known) return;
      const wanted = isConfirmed ? 'counted' : 'rejected';
      if (known.status === wanted && !known.isVerified) return also(known, client);
      if (known.status !== 'unverifiable')
        throw new DomainError(
          'CONFLICT',
          `This payment is ${known.status}; only an unverifiable one can be decided.`,
        );
      if (isConfirmed) await this.checkConfirmable(client, link, known);
      const nowMs = this.clock.now();
      const after = decideUnverifiable(link, known, { isConfirmed, nowMs });
      await also(await this.change(client, link, { known, after }, { nowMs, context }), client);
    });
  }

  private async checkConfirmable(client: TransactionClient, link: PayLink, payment: Payment): Promise<void> {
    if (isUsedUp(link)) throw new DomainError('CONFLICT', 'The PayLink has all its payments already.');
    const { taken } = await this.payments.rivals(client, payment);
    // Orders take back at most a hundred claims at once, and no later look follows here.
    if (await this.orders.isSettledBy(client, link.chain, payment.txHash))
      throw new DomainError('CONFLICT', paysAnOrder);
    if (taken.length > 0)
      throw new DomainError('CONFLICT', 'The transaction counts as the payment of another PayLink.');
  }

  /** Gives a counted payment the value for which there was no price; what has changed meanwhile stays as it is. */
  async value(reported: Reported, context: CallContext): Promise<void> {
    await this.inTransaction(reported, async (client, link) => {
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
      if (link) await this.settle(client, link, known, { reported: known, sight, context, paysOrder: true });
    }
  }

  private async inTransaction(
    { linkId, chain, txHash }: Reported,
    work: (client: TransactionClient, link: PayLink) => Promise<void>,
  ): Promise<void> {
    await transaction(this.database.pool, async (client) => {
      // In this order everywhere, so that nobody waits for somebody who waits for him.
      await this.payments.lockTransactions(client, [{ chain, txHash }]);
      const link = await this.links.lock(client, linkId);
      if (link) await work(client, link);
    });
    this.outbox.wake();
  }

  private async settle(
    client: TransactionClient,
    link: PayLink,
    known: Payment | undefined,
    { reported, sight, context, paysOrder: isGiven = false }: Seen,
  ): Promise<Settled> {
    const nowMs = this.clock.now();
    const { confirmations, blockTimeMs, paceMs } = this.depthOf(link.chain);
    const { taken, undecided } = await this.payments.rivals(client, reported);
    // What is on no chain yet hurries nobody.
    if (undecided.length > 0 && sight.kind === 'mined')
      await this.payments.lookSoon(undecided, nowMs, client);
    const isSecond = undecided.length > 0;
    const paysOrder = isGiven || (await this.orders.isSettledBy(client, link.chain, reported.txHash));
    const depth = { confirmations, blockTimeMs };
    const verdict = judge({
      ...{ link, payment: known ?? null, sight, depth, taken, isSecond, paysOrder, nowMs },
    });
    if (!known && verdict.become === 'rejected') return { refused: verdict.reason };
    const before = known ?? newPayment(reported, nowMs);
    await this.checkRoom(client, link, known, verdict);
    const after = afterVerdict(before, verdict, { nowMs, paceMs });
    if (verdict.become === 'same') {
      await this.payments.save(client, after);
      return { payment: after };
    }
    return { payment: await this.change(client, link, { known, after }, { nowMs, context }) };
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
        `This PayLink waits for ${maxUnseen} transactions that are not mined yet; report this one once it is.`,
      );
    if (
      verdict.become === 'unverifiable' &&
      (await this.payments.unverifiable(client, link.id, maxUnverifiable)) >= maxUnverifiable
    )
      throw new DomainError(
        'CONFLICT',
        `${maxUnverifiable} payments of this PayLink wait for the merchant's decision; report this one later.`,
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
        await tellMerchant(client, {
          wallet: link.wallet,
          type: 'paylink.paid',
          data: messageOf(counted, saved),
          nowMs,
        });
    } else if (saved.status === 'unverifiable') {
      const data = { ...messageOf(counted, saved), payment_id: saved.id };
      await tellMerchant(client, { wallet: link.wallet, type: 'paylink.payment_unverifiable', data, nowMs });
    } else if (saved.status !== 'pending') {
      const data = { ...messageOf(counted, saved), reason: saved.reason! };
      await tellMerchant(client, { wallet: link.wallet, type: 'paylink.payment_rejected', data, nowMs });
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
      reason: null,
      transfer: null,
    },
    ...{ block: null, valueUsd: null, isTold: false, pendingSinceMs: nowMs, nextLookAtMs: null, version: 0 },
    ...{ recordedAtMs: nowMs, decidedAtMs: null },
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
