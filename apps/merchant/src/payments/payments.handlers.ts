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
} from '@tollbridge/contracts';
import { DomainError, Handles, type CallContext } from '@tollbridge/rpc';
import { receiverAddress } from '@tollbridge/chains';
import { Clock } from '@tollbridge/database';
import { PaymentExecution } from './attempts/payment-execution';
import { ChainNodes } from '../chains/chain-nodes';
import { closedBecause, requestStatus, type PaymentRequest } from './payment';
import {
  candidatesFor,
  fromTokenOf,
  needsPayer,
  optionsWithout,
  strategyOf,
  type FromToken,
} from './options/payment-options';
import { RefundChains } from './options/refund-chains';
import { RequestReceivers } from './requests/request-receivers';
import { foundView } from './payment-view';
import { PaymentReading } from './payment-reading';
import type { Choice } from './payments.repository';
import { RequestAmounts } from './requests/request-amounts';

/** Operations of payers. They are unauthenticated, because the random id of the request is the authorisation. */
@Controller()
@Handles(paymentsApi)
export class PaymentsHandlers {
  constructor(
    private readonly reading: PaymentReading,
    private readonly refundChains: RefundChains,
    private readonly receivers: RequestReceivers,
    private readonly executing: PaymentExecution,
    private readonly amounts: RequestAmounts,
    private readonly chains: ChainNodes,
    @Inject(Clock) private readonly clock: Clock,
  ) {}

  async getPayment(
    { id, payer_address: payer }: PaymentQuery,
    context: CallContext,
  ): Promise<PaymentDetailsReply> {
    const details = await this.reading.details(id, context);
    if (payer !== undefined) return details;
    return { ...details, payment_options: optionsWithout(details.payment_options) };
  }

  async executePayment(given: ExecutePaymentRequest, context: CallContext): Promise<ExecutePaymentReply> {
    const found = await this.reading.find(given.id);
    const reason = closedBecause(requestStatus(found, this.clock.now()));
    if (reason) throw new DomainError('CONFLICT', reason);
    const request = await this.receivers.fix(found);
    const refundChains = await this.refundChains.read(context);
    const choice = this.choiceOf(given, request, refundChains);
    const convert = (it: PaymentRequest) => this.amounts.of(it);
    const payment = await this.executing.execute(request.id, choice, convert, context);
    const { toPay: order, estimatedSeconds } = payment.order;
    return {
      payment_id: payment.id,
      payment_request_id: payment.requestId,
      status: payment.status,
      estimated_completion: new Date(this.clock.now() + estimatedSeconds * 1000).toISOString(),
      order,
    };
  }

  paymentStatus({ id }: PaymentStatusQuery): Promise<PaymentStatusReply> {
    return this.reading.status(id);
  }

  private choiceOf(
    { selected_option: selected, payer_address }: ExecutePaymentRequest,
    request: PaymentRequest,
    refundChains: ReadonlySet<string>,
  ): Choice {
    const settle = this.reading.settleOf(request);
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
      payerAddress: payerOf({ from, settle, refundChains }, payer_address, request),
    };
  }
}

/** The canonical payer address; empty when the option needs no address and the payer gave none. */
function payerOf(
  { from, settle, refundChains }: { from: FromToken; settle: FromToken; refundChains: ReadonlySet<string> },
  given: string | undefined,
  { receiveAddress }: PaymentRequest,
): string {
  const { chain } = from;
  const invalid = (message: string) => DomainError.invalid([{ field: 'payer_address', message }]);
  if (given === undefined) {
    if (!needsPayer(from, settle, refundChains)) return '';
    throw invalid(`is required: the route provider refunds to this address on ${chain.name}`);
  }
  const payer = receiverAddress(chain, given);
  if (!payer.ok) throw invalid(payer.reason);
  // The payment contract rejects a payer that is also the receiver.
  if (strategyOf(from, settle) === 'direct' && payer.address === receiveAddress)
    throw invalid('must not be the recipient of the payment');
  return payer.address;
}

/** Internal operations for the pages of the gateway. */
@Controller()
@Handles(internalPaymentsApi)
export class PaymentPagesHandlers {
  constructor(
    private readonly reading: PaymentReading,
    @Inject(Clock) private readonly clock: Clock,
  ) {}

  async findPaymentRequest({ id }: PaymentRequestLookup): Promise<PaymentRequestFound> {
    return foundView(await this.reading.find(id), this.clock.now());
  }

  async paymentPage({ id }: PaymentRequestLookup, context: CallContext): Promise<PaymentDetailsReply> {
    return this.reading.details(id, context);
  }
}
