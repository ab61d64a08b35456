import { Inject, Injectable } from '@nestjs/common';
import {
  ordersApi,
  payerlessOrdersApi,
  type CreateOrderReply,
  type OrderTermsRequest,
} from '@tollbridge/contracts';
import { findChain, unusedAddress } from '@tollbridge/chains';
import { BusClient, DomainError, idempotencyKeyOf, walletPrincipal, type CallContext } from '@tollbridge/rpc';
import { Clock } from '@tollbridge/database';
import { OutboxWorker } from '@tollbridge/bootstrap';
import { ChainNodes } from '../../chains/chain-nodes';
import { LinkCheckouts } from '../../paylinks/link-checkouts';
import { followCheckouts } from './follow-checkouts';
import type { PaymentRequest } from '../payment';
import { PaymentRequestsRepository } from '../requests/payment-requests.repository';
import {
  PaymentsRepository,
  type Choice,
  type PayAmount,
  type Payment,
  type PaymentClaim,
} from '../payments.repository';
import { notifyOfPayments } from '../notify-payments';
import { publishPayments } from '../publish-payments';

// Each order of a request is watched until it ends, and a payer may try many options. `open` limits the concurrent
// orders of a request, and `all` the orders of a day.
const limits = { open: 20, all: 200 };
// Longer than the creation of an order takes, so that two replicas never create one at the same time.
const leaseMs = ordersApi.operations.createOrder.timeoutMs + 5_000;
// A concurrent request waits as long as the first one may take.
const waitTimeoutMs = ordersApi.operations.createOrder.timeoutMs + 2_000;
const [firstPauseMs, maxPauseMs] = [25, 400];

/** Starts payments. Concurrent and repeated requests for the same choice share one order. */
@Injectable()
export class PaymentExecution {
  constructor(
    private readonly requests: PaymentRequestsRepository,
    private readonly payments: PaymentsRepository,
    private readonly checkouts: LinkCheckouts,
    private readonly chains: ChainNodes,
    private readonly bus: BusClient,
    private readonly outbox: OutboxWorker,
    @Inject(Clock) private readonly clock: Clock,
  ) {}

  /** @param convert returns the amount that a new payment is fixed at */
  async execute(
    requestId: string,
    choice: Choice,
    convert: (request: PaymentRequest) => PayAmount,
    context: CallContext,
  ): Promise<Payment> {
    const deadlineMs = performance.now() + waitTimeoutMs;
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, maxPauseMs)) {
      const nowMs = this.clock.now();
      const terms = { limits: { ...limits, leaseMs }, convert };
      const execution = await this.payments.execute(requestId, choice, terms, nowMs);
      switch (execution.state) {
        case 'placed':
          return execution.payment;
        case 'closed':
          throw new DomainError('CONFLICT', execution.reason);
        case 'tooMany':
          throw new DomainError('CONFLICT', tooMany);
        case 'claimed': {
          const placed = await this.place(execution.claim, context);
          if (placed) return placed;
          break;
        }
        case 'running': {
          const payment = await this.waitFor(execution.id, deadlineMs);
          if (payment) return payment;
        }
      }
      if (performance.now() > deadlineMs) throw new DomainError('OUTCOME_UNKNOWN');
      await pause(pauseMs);
    }
  }

  /**
   * Creates the order of a claimed payment with the payment's idempotency key. So a retry after a crash receives the
   * existing order.
   * @returns undefined when another process has taken over the claim
   */
  async place(claim: PaymentClaim, { requestId, traceparent }: CallContext): Promise<Payment | undefined> {
    const request = (await this.requests.find(claim.requestId))!;
    const asking = {
      requestId,
      traceparent,
      principal: walletPrincipal(request.wallet),
      idempotencyKey: idempotencyKeyOf('payment', claim.id),
    };
    let reply: CreateOrderReply;
    try {
      reply = await this.createOrder(request, claim, asking);
    } catch (error) {
      throw await this.recordFailure(claim, error);
    }
    const estimatedSeconds = this.secondsOf(reply);
    const placed = await this.payments.place(
      claim,
      { toPay: reply, estimatedSeconds },
      this.clock.now(),
      async (client, changes, atMs) => {
        await followCheckouts(client, this.checkouts, changes, atMs);
        await notifyOfPayments(client, changes, atMs, () => traceparent);
        await publishPayments(client, changes, () => traceparent);
      },
    );
    this.outbox.wake();
    return placed;
  }

  /** Without a payer address, a cross-chain payment is refunded to the refund account of the operator. */
  private createOrder(
    request: PaymentRequest,
    claim: PaymentClaim,
    asking: CallContext,
  ): Promise<CreateOrderReply> {
    const terms = orderFor(request, claim);
    if (claim.payerAddress === '' && claim.strategy !== 'direct')
      return this.bus.call(payerlessOrdersApi.operations.createPayerlessOrder, terms, asking);
    // The order of a direct payment requires a payer address, but any wallet may pay it. The generated address is
    // unique and has no known key. So no list of a payer's orders shows payments of others.
    const payer = claim.payerAddress || unusedAddress(findChain(claim.fromChain)!, seedOf(claim.id));
    if (!payer) throw unavailableOption();
    const order = { ...terms, payer_address: payer };
    return this.bus.call(ordersApi.operations.createOrder, order, asking);
  }

  /** Stores a failure as a rejection for the payer. An unknown outcome is retried with the same key instead. */
  private async recordFailure(claim: PaymentClaim, error: unknown): Promise<DomainError> {
    const failure =
      error instanceof DomainError ? error : new DomainError('INTERNAL_ERROR', undefined, { cause: error });
    if (['OUTCOME_UNKNOWN', 'IDEMPOTENCY_IN_PROGRESS'].includes(failure.code)) {
      await this.payments.release(claim, this.clock.now());
      return new DomainError('OUTCOME_UNKNOWN', undefined, { cause: error });
    }
    const rejection = forPayers(failure);
    await this.payments.reject(
      claim,
      { code: rejection.code, message: rejection.message, details: rejection.details },
      this.clock.now(),
    );
    return rejection;
  }

  /** Waits for the payment of another process. Undefined when the payment must be started again. */
  private async waitFor(id: string, deadlineMs: number): Promise<Payment | undefined> {
    for (let pauseMs = firstPauseMs; performance.now() < deadlineMs;) {
      const outcome = await this.payments.outcome(id, this.clock.now());
      if (outcome.kind === 'abandoned') return undefined;
      if (outcome.kind === 'placed') return outcome.payment;
      if (outcome.kind === 'rejected') {
        const { code, message, details } = outcome.rejection;
        throw new DomainError(code, message, { details });
      }
      await pause(pauseMs);
      pauseMs = Math.min(pauseMs * 2, maxPauseMs);
    }
    return undefined;
  }

  /** pay-orders estimates the time of deposits. A direct payment takes as long as the chain's confirmations. */
  private secondsOf({ direct, cross_chain }: CreateOrderReply): number {
    if (cross_chain) return cross_chain.estimated_time;
    const chain = this.chains.find(direct?.chain ?? '');
    return chain ? Math.ceil((chain.confirmations * chain.blockTimeMs) / 1000) : 0;
  }
}

const tooMany =
  'This payment request has too many open orders. Pay one of them, or retry when they have expired.';

function orderFor(request: PaymentRequest, claim: PaymentClaim): OrderTermsRequest {
  // The receiver is fixed before a payment is claimed.
  const receiver = request.receiveAddress!;
  return {
    pay_blockchain: claim.fromChain,
    pay_token: claim.fromToken,
    settle_chain: request.chain,
    settle_token: request.currency,
    merchant_address: receiver,
    merchant_amount: String(claim.amount),
    // The field requires an address, even without a fee.
    fee_receiver: receiver,
    fee_amount: '0',
    merchant_id: request.wallet,
  };
}

/** This text must never change, because a retry must create the same order. */
const seedOf = (paymentId: string): string => `tollbridge payer ${paymentId}`;

/** Replaces the field names of the order in an error by those of the payer's request. */
function forPayers(failure: DomainError): DomainError {
  if (failure.code !== 'VALIDATION_ERROR') return failure;
  const errors = (failure.details ?? []) as { field: string; message: string }[];
  const ofPayer = errors.filter(({ field }) => field === 'payer_address');
  if (ofPayer.length > 0) return DomainError.invalid(ofPayer);
  return unavailableOption(failure);
}

const unavailableOption = (cause?: Error): DomainError =>
  new DomainError(
    'ROUTE_UNAVAILABLE',
    'This payment option is not available. Choose another of payment_options.',
    { cause },
  );

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));
