import { Inject, Injectable } from '@nestjs/common';
import {
  ordersApi,
  payerlessOrdersApi,
  type CreateOrderReply,
  type OrderTermsRequest,
} from '@tollbridge/contracts';
import { BusClient, DomainError, idempotencyKeyOf, walletPrincipal, type CallContext } from '@tollbridge/rpc';
import { Clock } from '@tollbridge/database';
import { OutboxWorker } from '@tollbridge/bootstrap';
import { getAddress, keccak256, toUtf8Bytes } from 'ethers';
import { ChainNodes } from '../chains/chain-nodes';
import type { PaymentRequest } from './payment';
import { PaymentRequestsRepository } from './payment-requests.repository';
import { PaymentsRepository, type Choice, type Payment, type PaymentClaim } from './payments.repository';
import { tellOfPayments } from './tell-payment';

// Many payers may try the same link, and one may try many options; each order is watched until it ends. `open` at the
// same time, `all` within a day.
const bounds = { open: 20, all: 200 };
// Longer than making an order may take, so that two never make one at the same time.
const leaseMs = ordersApi.operations.createOrder.timeoutMs + 5_000;
// Whoever comes second waits for the first one's order for as long as that one does.
const patienceMs = ordersApi.operations.createOrder.timeoutMs + 2_000;
const [firstPauseMs, longestPauseMs] = [25, 400];

/** Begins payments: one order for each, however often and by whomever it is asked for at the same time. */
@Injectable()
export class ExecutePayment {
  constructor(
    private readonly requests: PaymentRequestsRepository,
    private readonly payments: PaymentsRepository,
    private readonly chains: ChainNodes,
    private readonly bus: BusClient,
    private readonly outbox: OutboxWorker,
    @Inject(Clock) private readonly clock: Clock,
  ) {}

  async execute(requestId: string, choice: Choice, context: CallContext): Promise<Payment> {
    const giveUpAtMs = performance.now() + patienceMs;
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
      const nowMs = this.clock.now();
      const execution = await this.payments.execute(requestId, choice, { ...bounds, leaseMs }, nowMs);
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
          const payment = await this.waitFor(execution.id, giveUpAtMs);
          if (payment) return payment;
        }
      }
      if (performance.now() > giveUpAtMs) throw new DomainError('OUTCOME_UNKNOWN');
      await pause(pauseMs);
    }
  }

  /**
   * Makes the order of a claimed payment. Its idempotency key is the payment's: whoever comes after a crash is told of the
   * order that there is already. Undefined when somebody else has it by now.
   */
  async place(claim: PaymentClaim, { requestId, traceparent }: CallContext): Promise<Payment | undefined> {
    const request = (await this.requests.find(claim.requestId))!;
    const asking = {
      ...{ requestId, traceparent, principal: walletPrincipal(request.wallet) },
      idempotencyKey: idempotencyKeyOf('payment', claim.id),
    };
    let reply: CreateOrderReply;
    try {
      reply = await this.createOrder(request, claim, asking);
    } catch (error) {
      throw await this.withoutOrder(claim, error);
    }
    const estimatedSeconds = this.secondsOf(reply);
    const placed = await this.payments.place(
      claim,
      { reply, estimatedSeconds },
      this.clock.now(),
      tellOfPayments,
    );
    this.outbox.wake();
    return placed;
  }

  /** Without an address of the payer, a payment across chains is refunded through the refund account of the operator. */
  private createOrder(
    request: PaymentRequest,
    claim: PaymentClaim,
    asking: CallContext,
  ): Promise<CreateOrderReply> {
    const terms = orderFor(request, claim);
    if (claim.payerAddress === '' && claim.strategy !== 'direct')
      return this.bus.call(payerlessOrdersApi.operations.createPayerlessOrder, terms, asking);
    const order = { ...terms, payer_address: claim.payerAddress || unusedAddress(claim.id) };
    return this.bus.call(ordersApi.operations.createOrder, order, asking);
  }

  /** What was not heard of may have been done; everything else was not, or nobody has been told of it. */
  private async withoutOrder(claim: PaymentClaim, error: unknown): Promise<DomainError> {
    const failure =
      error instanceof DomainError ? error : new DomainError('INTERNAL_ERROR', undefined, { cause: error });
    if (['OUTCOME_UNKNOWN', 'IDEMPOTENCY_IN_PROGRESS'].includes(failure.code)) {
      await this.payments.release(claim, this.clock.now());
      return new DomainError('OUTCOME_UNKNOWN', undefined, { cause: error });
    }
    const told = forPayers(failure);
    await this.payments.refuse(
      claim,
      { code: told.code, message: told.message, details: told.details },
      this.clock.now(),
    );
    return told;
  }

  /** Undefined when it has to be begun anew. */
  private async waitFor(id: string, giveUpAtMs: number): Promise<Payment | undefined> {
    for (let pauseMs = firstPauseMs; performance.now() < giveUpAtMs;) {
      const outcome = await this.payments.outcome(id, this.clock.now());
      if (outcome === 'gone') return undefined;
      if (outcome !== 'running') {
        if (!('refusal' in outcome)) return outcome;
        const { code, message, details } = outcome.refusal;
        throw new DomainError(code, message, { details });
      }
      await pause(pauseMs);
      pauseMs = Math.min(pauseMs * 2, longestPauseMs);
    }
    return undefined;
  }

  /** The pay service says it of deposits; a direct payment takes the chain's confirmations. */
  private secondsOf({ direct, cross_chain }: CreateOrderReply): number {
    if (cross_chain) return cross_chain.estimated_time;
    const chain = this.chains.find(direct?.chain ?? '');
    return chain ? Math.ceil((chain.confirmations * chain.blockTimeMs) / 1000) : 0;
  }
}

const tooMany =
  'This payment request has too many open orders. Pay one of them, or retry when they have expired.';

function orderFor(request: PaymentRequest, claim: PaymentClaim): OrderTermsRequest {
  return {
    pay_blockchain: claim.fromChain,
    pay_token: claim.fromToken,
    settle_chain: request.chain,
    settle_token: request.currency,
    merchant_address: request.receiveAddress,
    merchant_amount: String(request.amount),
    // Without a fee nobody receives it; the field must hold an address all the same.
    fee_receiver: request.receiveAddress,
    fee_amount: '0',
    merchant_id: request.wallet,
  };
}

/**
 * An order names its payer, but a direct payment may come from anywhere and sends nothing back. So that the list of one
 * address does not show everybody's payments, each gets one of its own, whose key nobody has.
 */
function unusedAddress(paymentId: string): string {
  return getAddress(`0x${keccak256(toUtf8Bytes(`tollbridge payer ${paymentId}`)).slice(-40)}`);
}

/** In the names of what the payer sent: the fields of the order are ours. */
function forPayers(failure: DomainError): DomainError {
  if (failure.code !== 'VALIDATION_ERROR') return failure;
  const errors = (failure.details ?? []) as { field: string; message: string }[];
  const ofPayer = errors.filter(({ field }) => field === 'payer_address');
  if (ofPayer.length > 0) return DomainError.invalid(ofPayer);
  return new DomainError(
    'ROUTE_UNAVAILABLE',
    'This payment option is not available. Choose another of payment_options.',
    { cause: failure },
  );
}

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));
