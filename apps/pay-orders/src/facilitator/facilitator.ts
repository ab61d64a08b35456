import { Injectable } from '@nestjs/common';
import type {
  FacilitatedPaymentRequest,
  FacilitatedSettleReply,
  FacilitatedSettleRequest,
  FacilitatedVerifyReply,
  ReceivedSettlementsReply,
  ReceivedSettlementsRequest,
  SettlementOfReply,
} from '@tollbridge/contracts';
import { DomainError } from '@tollbridge/rpc';
import type { Authorization } from './authorization';
import { FacilitatorLimits } from './limits';
import { Rails } from './rails';
import { answerOf, messageOf, nothingSettled, notSettled } from './replies';
import type { Settlement } from './settlement';
import type {
  ClaimOutcome,
  Payment,
  Rejection,
  SettlementDetails,
  SettlementRail,
  Verified,
} from './settlement-rail';
import { SettlementsRepository } from './settlements.repository';

const schemes: readonly unknown[] = ['exact', 'upto', 'batch-settlement'];
// The interval between reads of a settlement that another call or replica advances.
const readEveryMs = 100;
// The maximum number of received settlements in the reply, as declared.
const mostReceived = 200;

type FoundPayment = Payment & { rail: SettlementRail };

/** The facilitator of the official schemes: evaluates payments, claims each one once, and returns the outcome. */
@Injectable()
export class Facilitator {
  private readonly claiming = new Map<string, Promise<ClaimOutcome>>();

  constructor(
    private readonly rails: Rails,
    private readonly settlements: SettlementsRepository,
    private readonly limits: FacilitatorLimits,
  ) {}

  async verify(request: FacilitatedPaymentRequest): Promise<FacilitatedVerifyReply> {
    const payment = this.read(request);
    if ('reason' in payment) return notValid(payment);
    const { rail, network, authorization } = payment;
    const { payer } = authorization;
    const isSettled = payment.answered !== 'none';
    const known = isSettled ? await this.settlements.find(network, authorization) : undefined;
    // A seller that repeats a payment with an unknown outcome gets the outcome from settle.
    if (known && canBeAnswered(known, authorization)) return { isValid: true, payer };
    if (known) return notValid({ reason: 'duplicate_settlement' }, payer);
    if (await this.settlements.isIdentifierUsed(authorization))
      return notValid({ reason: 'payment_identifier_conflict' }, payer);
    const verified: Verified | Rejection = await ask(rail, () => rail.verify(payment));
    return 'reason' in verified ? notValid(verified, payer) : { isValid: true, payer, ...verified };
  }

  async settle({ callKey, ...request }: FacilitatedSettleRequest): Promise<FacilitatedSettleReply> {
    const network = textOf(request.paymentRequirements.network);
    const payment = await this.identify(this.read(request));
    if ('reason' in payment) return notSettled(payment, network);
    const { rail, authorization } = payment;
    const known = await this.findKnown(payment);
    if (known) return this.answer(known, payment, { callKey });
    if (await this.settlements.isIdentifierUsed(authorization))
      return notSettled({ reason: 'payment_identifier_conflict' }, network, authorization.payer);
    const outcome = await this.claimOnce(payment);
    if (outcome.kind === 'nothing') return nothingSettled(network, authorization.payer);
    if (outcome.kind === 'rejected') return this.reject(payment, outcome.rejection, callKey);
    if (outcome.kind === 'limited')
      throw new DomainError('RATE_LIMIT_EXCEEDED', 'Too many settlements in the last minute.', {
        retryAfterSeconds: 10,
      });
    if (outcome.kind === 'unfunded') return this.reject(payment, { reason: 'insufficient_funds' }, callKey);
    if (outcome.kind === 'claimed') await rail.broadcast(network, outcome);
    const settlement = await this.settlements.find(network, authorization);
    // The payment id belongs to another authorisation.
    if (!settlement)
      return notSettled({ reason: 'payment_identifier_conflict' }, network, authorization.payer);
    return this.answer(settlement, payment, { callKey, isOwn: outcome.kind === 'claimed' });
  }

  /**
   * Equal concurrent calls share one evaluation. Separate ones could hit the chain's rate limit and get different
   * replies.
   */
  private async claimOnce(payment: FoundPayment): Promise<ClaimOutcome> {
    const { network, authorization } = payment;
    const key = [
      network,
      authorization.contract,
      authorization.payer,
      authorization.nonce,
      authorization.payloadHash,
    ].join(' ');
    const running = this.claiming.get(key);
    if (running) {
      const outcome = await running;
      return outcome.kind === 'claimed' ? { kind: 'exists' } : outcome;
    }
    const claimed = this.claim(payment).finally(() => this.claiming.delete(key));
    this.claiming.set(key, claimed);
    return claimed;
  }

  private async claim({ rail, ...payment }: FoundPayment): Promise<ClaimOutcome> {
    try {
      return await ask(rail, () => rail.claim(payment));
    } catch (error) {
      // The chain did not answer this call, but may have answered an equal call in another replica.
      if (await this.settlements.find(payment.network, payment.authorization)) return { kind: 'exists' };
      throw error;
    }
  }

  /**
   * Returns the settlement whichever call requested it, so that a seller can check a payment that another client
   * settled.
   */
  async settlementOf(request: FacilitatedPaymentRequest): Promise<SettlementOfReply> {
    const payment = this.read(request);
    const found =
      'reason' in payment ? undefined : await this.settlements.find(payment.network, payment.authorization);
    if (!found) return { state: 'none' };
    const { state, txHash: transaction, amountAtomic } = found;
    return { state, transaction, amount: String(amountAtomic) };
  }

  async receivedSettlements({
    network,
    payTo,
    sinceMs,
  }: ReceivedSettlementsRequest): Promise<ReceivedSettlementsReply> {
    const receiver = network.startsWith('eip155:') ? payTo.toLowerCase() : payTo;
    const found = await this.settlements.receivedBy(network, receiver, sinceMs, mostReceived);
    return {
      settlements: found.map(({ settlement, finalAtMs }) => ({
        payer: settlement.payer,
        nonce: settlement.nonce,
        asset: settlement.token,
        amount: String(settlement.amountAtomic),
        transaction: settlement.txHash,
        finalAtMs,
      })),
    };
  }

  private read(request: FacilitatedPaymentRequest): FoundPayment | Rejection {
    const { scheme, network } = request.paymentRequirements;
    if (!schemes.includes(scheme)) return { reason: 'unsupported_scheme' };
    const rail = this.rails.find(network);
    if (!rail) return { reason: 'invalid_network' };
    const payment = rail.read(request);
    if ('reason' in payment) return payment;
    // An `upto` payment of zero releases the buyer.
    const { amountAtomic } = payment.authorization;
    return scheme === 'exact' && amountAtomic === 0n ? { reason: 'invalid_amount' } : { ...payment, rail };
  }

  private async identify(payment: FoundPayment | Rejection): Promise<FoundPayment | Rejection> {
    if ('reason' in payment) return payment;
    const { rail } = payment;
    if (payment.answered === 'none') return { reason: 'invalid_batch_settlement_evm_payload_type' };
    const identified = rail.identify ? await ask(rail, () => rail.identify!(payment)) : payment;
    return 'reason' in identified ? identified : { ...identified, rail };
  }

  private async findKnown({ network, authorization, answered }: Payment): Promise<Settlement | undefined> {
    const known = await this.settlements.find(network, authorization);
    if (known?.state !== 'failed' || answered === 'one call') return known;
    await this.settlements.retire(known);
    return undefined;
  }

  /** An equal call may have settled the payment meanwhile, which made it invalid for this call. */
  private async reject(
    payment: FoundPayment,
    rejection: Rejection,
    callKey: string,
  ): Promise<FacilitatedSettleReply> {
    const { network, authorization } = payment;
    const raced = await this.settlements.find(network, authorization);
    return raced
      ? this.answer(raced, payment, { callKey })
      : notSettled(rejection, network, authorization.payer);
  }

  /** Waits for the outcome. Exactly one call gets the success of a payment, and so do repeated calls with its key. */
  private async answer(
    found: Settlement,
    { authorization, answered, rail }: FoundPayment,
    { callKey, isOwn = false }: { callKey: string; isOwn?: boolean },
  ): Promise<FacilitatedSettleReply> {
    if (found.payloadHash !== authorization.payloadHash)
      return notSettled({ reason: 'duplicate_settlement' }, found.network, found.payer);
    const settlement = found.state === 'sent' ? await this.wait(found, isOwn) : found;
    const isPaid = settlement.state === 'settled' || settlement.state === 'final';
    if (!isPaid) return answerOf(settlement);
    const details: SettlementDetails = await ask(rail, async () => rail.describe?.(settlement) ?? {});
    const isAnswered = await this.settlements.answer(settlement, callKey);
    if (!isAnswered && answered === 'one call')
      return notSettled({ reason: 'duplicate_settlement' }, settlement.network, settlement.payer);
    return { ...answerOf(settlement), ...details };
  }

  private async wait(found: Settlement, isOwn: boolean): Promise<Settlement> {
    const untilMs = performance.now() + this.limits.waitMs;
    const rail = this.rails.get(found.network);
    const everyMs = Math.max(readEveryMs, rail.pollIntervalMs(found.network) / 4);
    for (let settlement = found; ; settlement = await this.settlements.get(found.id)) {
      if (settlement.state !== 'sent') return settlement;
      // The worker advances it as well, and an outage of the node leaves the outcome unknown.
      if (isOwn) await rail.follow(settlement).catch(() => undefined);
      const next = isOwn ? await this.settlements.get(found.id) : settlement;
      if (next.state !== 'sent' || performance.now() >= untilMs) return next;
      await new Promise((resolve) => setTimeout(resolve, everyMs));
    }
  }
}

/** @throws DomainError SERVICE_UNAVAILABLE when the chain does not answer; nothing is known and nothing was sent */
async function ask<T>(rail: SettlementRail, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!rail.isOutage(error)) throw error;
    throw new DomainError('SERVICE_UNAVAILABLE', 'The chain does not answer. Repeat the call.', {
      cause: error,
      retryAfterSeconds: 2,
    });
  }
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value.slice(0, 64) : 'unknown');

/** Whether `settle` still returns the outcome of this settlement to an equal call. */
const canBeAnswered = ({ payloadHash, state, answeredTo }: Settlement, asked: Authorization): boolean =>
  payloadHash === asked.payloadHash && state !== 'failed' && answeredTo === null;

const notValid = ({ reason, message }: Rejection, payer?: string): FacilitatedVerifyReply => ({
  isValid: false,
  invalidReason: reason,
  invalidMessage: message ?? messageOf(reason),
  ...(payer !== undefined && { payer }),
});
