import { Controller, Inject } from '@nestjs/common';
import {
  internalPaymentsApi,
  paymentsApi,
  type ExecutePaymentReply,
  type ExecutePaymentRequest,
  type PaymentDetailsReply,
  type PaymentQuery,
  type PaymentRequestFound,
  type PaymentRequestLookup,
  type PaymentStatusQuery,
  type PaymentStatusReply,
} from '@tollbridge/api';
import { DomainError, Handles, uuidOf, type CallContext } from '@tollbridge/bus';
import { receiverAddress } from '@tollbridge/chains';
import { Clock } from '@tollbridge/data';
import { ExecutePayment } from './execute-payment';
import { ChainNodes } from '../chains/chain-nodes';
import { OptionQuotes } from './option-quotes';
import { closedBecause, requestStatus, type PaymentRequest } from './payment';
import { candidatesFor, fromTokenOf, strategyOf, type FromToken } from './payment-options';
import { PaymentRequestsRepository, type NamedPaymentRequest } from './payment-requests.repository';
import { publicView, statusView } from './payment-view';
import { PaymentsRepository, type Choice } from './payments.repository';

/** What a payer does: nobody is asked who he is, since the id is known to those only whom the merchant told. */
@Controller()
@Handles(paymentsApi)
export class PaymentsHandlers {
  constructor(
    private readonly requests: PaymentRequestsRepository,
    private readonly payments: PaymentsRepository,
    private readonly options: OptionQuotes,
    private readonly executing: ExecutePayment,
    private readonly chains: ChainNodes,
    @Inject(Clock) private readonly clock: Clock,
  ) {}

  async getPayment({ id }: PaymentQuery, context: CallContext): Promise<PaymentDetailsReply> {
    const request = await findRequest(this.requests, id);
    const settle = this.settleOf(request);
    const isOpen = closedBecause(requestStatus(request, this.clock.now())) === undefined;
    const [options, furthest] = await Promise.all([
      isOpen ? this.options.optionsFor(settle, request.amount, context) : [],
      this.payments.findFurthest(request.id),
    ]);
    const view = publicView(request, settle, furthest?.id ?? null, this.clock.now());
    return { payment_request: view, payment_options: options };
  }

  async executePayment(given: ExecutePaymentRequest, context: CallContext): Promise<ExecutePaymentReply> {
    const request = await findRequest(this.requests, given.id);
    const reason = closedBecause(requestStatus(request, this.clock.now()));
    if (reason) throw new DomainError('CONFLICT', reason);
    const payment = await this.executing.execute(request.id, this.choiceOf(given, request), context);
    const { reply: order, estimatedSeconds } = payment.order;
    return {
      payment_id: payment.id,
      payment_request_id: payment.requestId,
      status: payment.status,
      estimated_completion: new Date(this.clock.now() + estimatedSeconds * 1000).toISOString(),
      order,
    };
  }

  async paymentStatus({ id }: PaymentStatusQuery): Promise<PaymentStatusReply> {
    const uuid = uuidOf(id);
    const payment = uuid && ((await this.payments.find(uuid)) ?? (await this.payments.findFurthest(uuid)));
    const request = payment && (await this.requests.find(payment.requestId));
    if (!payment || !request) throw new DomainError('NOT_FOUND', 'The payment does not exist. Check its id.');
    const from = fromTokenOf(this.chains, payment.fromChain, payment.fromToken);
    const view = publicView(request, this.settleOf(request), payment.id, this.clock.now());
    return statusView(payment, view, from);
  }

  private choiceOf(
    { selected_option: selected, payer_address }: ExecutePaymentRequest,
    request: PaymentRequest,
  ): Choice {
    const settle = this.settleOf(request);
    const chosen = fromTokenOf(this.chains, selected.from_chain, selected.from_token);
    const from = candidatesFor(settle, this.chains).find(
      ({ chain, token }) => chain.id === chosen?.chain.id && token.symbol === chosen.token.symbol,
    );
    if (!from)
      throw DomainError.invalid([
        { field: 'selected_option', message: 'must be one of payment_options of this request' },
      ]);
    return {
      fromChain: from.chain.id,
      fromToken: from.token.symbol,
      strategy: strategyOf(from, settle),
      payerAddress: payerOf(from, strategyOf(from, settle) === 'direct', payer_address, request),
    };
  }

  /** It was found when the request was made. */
  private settleOf({ chain, currency }: PaymentRequest): FromToken {
    const settle = fromTokenOf(this.chains, chain, currency);
    if (!settle) throw new Error(`${currency} on ${chain} is not known any more`);
    return settle;
  }
}

/** Empty where none is needed and none was given. */
function payerOf(
  { chain }: FromToken,
  isDirect: boolean,
  given: string | undefined,
  { receiveAddress }: PaymentRequest,
): string {
  const refuse = (message: string) => DomainError.invalid([{ field: 'payer_address', message }]);
  if (given === undefined) {
    if (isDirect) return '';
    throw refuse(`is required: refunds go to this address on ${chain.name}`);
  }
  const payer = receiverAddress(chain, given);
  if (!payer.ok) throw refuse(payer.reason);
  // The payment contract takes nothing from those whom it pays.
  if (isDirect && payer.address === receiveAddress) throw refuse('must not be the recipient of the payment');
  return payer.address;
}

async function findRequest(requests: PaymentRequestsRepository, id: string): Promise<NamedPaymentRequest> {
  const uuid = uuidOf(id);
  const request = uuid === undefined ? undefined : await requests.find(uuid);
  if (!request) throw new DomainError('NOT_FOUND', 'The payment request does not exist. Check its id.');
  return request;
}

/** What the gateway asks for its pages. */
@Controller()
@Handles(internalPaymentsApi)
export class PaymentPagesHandlers {
  constructor(private readonly requests: PaymentRequestsRepository) {}

  async findPaymentRequest({ id }: PaymentRequestLookup): Promise<PaymentRequestFound> {
    return { id: (await findRequest(this.requests, id)).id };
  }
}
