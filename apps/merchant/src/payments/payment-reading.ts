import { Inject, Injectable } from '@nestjs/common';
import type { PaymentDetailsReply, PaymentStatusReply } from '@tollbridge/contracts';
import { DomainError, uuidOf, type CallContext } from '@tollbridge/rpc';
import { ServiceConfig } from '@tollbridge/bootstrap';
import { Clock } from '@tollbridge/database';
import { ChainNodes } from '../chains/chain-nodes';
import type { MerchantConfig } from '../config';
import { OptionQuotes, type Offer } from './options/option-quotes';
import { closedBecause, requestStatus, type PaymentRequest } from './payment';
import { fromTokenOf, type FromToken } from './options/payment-options';
import { PaymentRequestsRepository, type NamedPaymentRequest } from './requests/payment-requests.repository';
import { publicView, statusView } from './payment-view';
import { PaymentsRepository } from './payments.repository';
import { RequestReceivers } from './requests/request-receivers';

/** Reads payment requests and their payments for payers. */
@Injectable()
export class PaymentReading {
  constructor(
    private readonly requests: PaymentRequestsRepository,
    private readonly payments: PaymentsRepository,
    private readonly options: OptionQuotes,
    private readonly receivers: RequestReceivers,
    private readonly chains: ChainNodes,
    @Inject(Clock) private readonly clock: Clock,
    @Inject(ServiceConfig) private readonly config: Pick<MerchantConfig, 'GATEWAY_PUBLIC_URL'>,
  ) {}

  /** The request with all options, including those that need a payer address. @throws DomainError NOT_FOUND */
  async details(id: string, context: CallContext): Promise<PaymentDetailsReply> {
    const [request] = (await this.receivers.resolve([await this.find(id)])) as [NamedPaymentRequest];
    const settle = this.settleOf(request);
    const isOpen =
      request.receiveAddress !== null &&
      closedBecause(requestStatus(request, this.clock.now())) === undefined;
    const [offer, furthest] = await Promise.all([
      isOpen ? this.options.offerFor(request, settle, context) : closed(request),
      this.payments.findFurthest(request.id),
    ]);
    const { options, ...converted } = offer;
    const view = publicView({ ...request, ...converted }, settle, furthest?.id ?? null, this.clock.now());
    return { payment_request: view, payment_options: options };
  }

  /**
   * @param id of a payment, or of a request; a request's most advanced payment is returned @throws DomainError
   * NOT_FOUND
   */
  async status(id: string): Promise<PaymentStatusReply> {
    const uuid = uuidOf(id);
    const payment = uuid && ((await this.payments.find(uuid)) ?? (await this.payments.findFurthest(uuid)));
    const request = payment && (await this.requests.find(payment.requestId));
    if (!payment || !request) throw new DomainError('NOT_FOUND', 'The payment does not exist. Check its id.');
    const from = fromTokenOf(this.chains, payment.fromChain, payment.fromToken);
    const { amount, conversion } = payment;
    const paid = { ...request, amount, conversion };
    const view = publicView(paid, this.settleOf(request), payment.id, this.clock.now());
    const isDirectHere = from !== undefined && this.chains.isDirect(from.chain.id);
    return statusView(payment, view, from, { publicUrl: this.config.GATEWAY_PUBLIC_URL, isDirectHere });
  }

  /** @throws DomainError NOT_FOUND */
  async find(id: string): Promise<NamedPaymentRequest> {
    const uuid = uuidOf(id);
    const request = uuid === undefined ? undefined : await this.requests.find(uuid);
    if (!request) throw new DomainError('NOT_FOUND', 'The payment request does not exist. Check its id.');
    return request;
  }

  /** The token of a request, which was validated when the request was created. */
  settleOf({ chain, currency }: PaymentRequest): FromToken {
    const settle = fromTokenOf(this.chains, chain, currency);
    if (!settle) throw new Error(`${currency} on ${chain} is not in the registry any more`);
    return settle;
  }
}

const closed = ({ amount, conversion }: PaymentRequest): Offer => ({ amount, conversion, options: [] });
