import { Controller } from '@nestjs/common';
import {
  paylinkPaymentsApi,
  type DecidePaymentRequest,
  type PayLinkPayment,
  type PayLinkPaymentsQuery,
  type RecordPaymentReply,
  type RecordPaymentRequest,
} from '@tollbridge/contracts';
import { type CallContext, DomainError, Handles, merchantOf, pageWithNext, readPage } from '@tollbridge/rpc';
import { canonicalTxHash, findChain, isTxHash, txHashShape } from '@tollbridge/chains';
import { storeReply } from '@tollbridge/database';
import { idOf, notFound, positionOf } from '../paylink-id';
import { paymentViewOf, rejectedReply, replyOf } from '../paylink-view';
import { PayLinksRepository } from '../paylinks.repository';
import { PayLinkPaymentsRepository } from './paylink-payments.repository';
import { isUndecided } from './payment';
import { PaymentSettlement, type Settled } from './payment-settlement';
import { ReceiverBalances } from './receiver-balances';
import { ReportedTransactions } from './reported-transactions';

/** Reports of payments by payers, and the list and decisions of the link's merchant. */
@Controller()
@Handles(paylinkPaymentsApi)
export class PayLinkPaymentsHandlers {
  constructor(
    private readonly links: PayLinksRepository,
    private readonly payments: PayLinkPaymentsRepository,
    private readonly settlement: PaymentSettlement,
    private readonly transactions: ReportedTransactions,
    private readonly balances: ReceiverBalances,
  ) {}

  async recordPayLinkPayment(
    request: RecordPaymentRequest,
    context: CallContext,
  ): Promise<RecordPaymentReply> {
    const link = await this.links.find(request.id);
    const txHash = txHashOf(link.chain, request.txHash);
    const known = await this.payments.find(link.id, txHash);
    if (known && known.status !== 'rejected') return replyOf(known);
    const observation = await this.transactions.observe(link, txHash);
    const reported = { linkId: link.id, chain: link.chain, txHash };
    let reply: RecordPaymentReply | undefined;
    await this.settlement.report(reported, observation, context, (settled, client) =>
      storeReply(client, context, (reply = settledReply(settled))),
    );
    if (!reply) throw notFound();
    return reply;
  }

  async listPayLinkPayments(query: PayLinkPaymentsQuery, context: CallContext): Promise<PayLinkPayment[]> {
    const wallet = merchantOf(context);
    const link = await this.links.find(query.id);
    if (link.wallet !== wallet) throw notFound();
    const position = positionOf(query);
    const { page, limit, next } = await readPage(
      query.limit ?? Infinity,
      (most) => this.payments.list(link.id, { ...position, limit: most }),
      ({ id }) => id,
    );
    const balance = page.some(isUndecided) ? await this.balances.of(link) : null;
    const views = page.map((payment) => paymentViewOf(payment, balance));
    return pageWithNext(views, next ?? undefined, limit);
  }

  confirmPayLinkPayment(request: DecidePaymentRequest, context: CallContext): Promise<PayLinkPayment> {
    return this.decide(request, true, context);
  }

  rejectPayLinkPayment(request: DecidePaymentRequest, context: CallContext): Promise<PayLinkPayment> {
    return this.decide(request, false, context);
  }

  private async decide(
    { id, paymentId }: DecidePaymentRequest,
    isConfirmed: boolean,
    context: CallContext,
  ): Promise<PayLinkPayment> {
    const wallet = merchantOf(context);
    const link = await this.links.find(id);
    if (link.wallet !== wallet) throw notFound();
    const payment = await this.payments.findById(link.id, idOf(paymentId));
    if (!payment) throw notFound();
    let reply: PayLinkPayment | undefined;
    await this.settlement.decide(payment, isConfirmed, context, (decided, client) =>
      storeReply(client, context, (reply = paymentViewOf(decided))),
    );
    if (!reply) throw notFound();
    return reply;
  }
}

const settledReply = (settled: Settled): RecordPaymentReply =>
  'rejection' in settled ? rejectedReply(settled.rejection) : replyOf(settled.payment);

function txHashOf(chain: string, text: string): string {
  const place = findChain(chain)!;
  const hash = canonicalTxHash(text);
  if (!isTxHash(place, hash))
    throw DomainError.invalid([
      { field: 'txHash', message: `must be a transaction hash: ${txHashShape(place)}` },
    ]);
  return hash;
}
