import { readIdentifier } from '@tollbridge/nanopay-protocol';
import { createHash, randomUUID } from 'node:crypto';
import type { Answer, Headers } from '../answers';
import { offerReceiptName, type OfferReceipts } from '../extensions/offer-receipts';
import { signInName } from '../extensions/sign-in-options';
import type { Payment } from '../grant';
import type { Verdict } from '../paid-options';
import type { OfficialPayload, OfficialRequirements } from '../x402/official-types';
import { isOfVouchers } from './offers';
import type { FacilitatorClient, Settled, Settlement, Verification } from './facilitator-client';
import { HeldGrant, type Charged } from './held-grant';
import type { OfferedPayment } from './offered-payment';
import {
  callInProgress,
  claimConflict,
  facilitatorUnavailable,
  failedHeader,
  identifierConflict,
  outcomeUnknown,
  refunded,
  settledHeader,
  storedAnswer,
  tooManyClaims,
  type OfficialFailure,
} from './official-answers';
import type { VoucherVerdict } from './vouchers/voucher-sales';
import type { Vouchers } from './vouchers/vouchers';
import type { PaymentClaim, PaymentClaims, Taken, Unsettled } from './payment-claims';

export interface OfficialSalesOptions {
  facilitator: FacilitatorClient;
  claims: PaymentClaims;
  settleTimeoutMs: number;
  /** Undefined if `batch-settlement` is not sold. */
  vouchers: Vouchers | undefined;
  /** See `FacilitatorOptions`. */
  keepsOutcomes: boolean;
  /** Undefined if receipts are not signed. */
  receipts?: OfferReceipts | undefined;
  /** Called when the facilitator or the store of claims failed. */
  onFailed: (error: unknown) => void;
  onSettledElsewhere?: OnSettledElsewhere | undefined;
  cors: Headers;
}

/** A request to a paid route with a payment of an official scheme. */
export interface OfficialCall {
  method: string;
  resource: { url: string };
  /** The payment of the request, before its verification. */
  found: OfferedPayment;
  /** True if the payment has expired. Then nothing new is charged. */
  isLate?: boolean;
  /** Returns additional headers of a charged response. */
  receipt?: (settled: Settled) => Headers;
  /** Returns the symbol of the offer's asset. */
  symbolOf: (offer: OfficialRequirements) => string;
  isRefunded: (status: number) => boolean;
  /** Returns the 402 with a fresh price and the failure of this payment. */
  required: (failure: OfficialFailure) => Answer;
  /** Called after a charge, before the response. */
  onSettled?: (network: string, payer: string | undefined) => Promise<void> | undefined;
}

/** @returns the transaction that paid the seller and has bought nothing yet; the request is then served */
export type OnSettledElsewhere = (
  payment: SettledElsewhere,
) => string | undefined | void | Promise<string | undefined | void>;

/** A payment that is used or can no longer be paid, and that is missing in the store of claims. */
export interface SettledElsewhere {
  method: string;
  url: string;
  scheme: string;
  network: string;
  asset: string;
  payTo: string;
  payer: string | undefined;
  /** Smallest unit. */
  amount: string;
  /** The facilitator's reason. */
  reason: string;
  /** The buyer's payload. Its nonce identifies the transfer on the chain. */
  payload: Record<string, unknown>;
}

interface Sale extends OfferedPayment {
  call: OfficialCall;
  id: string;
  fingerprint: string;
  /** The payment for the facilitator. It contains the seller's offer, not the copy in the header. */
  paid: OfficialPayload;
  payer: string | undefined;
  amount: string;
}

/** A reason of this project's facilitator. */
const identifierTaken = 'payment_identifier_conflict';
/** Reasons of the official packages and of this project's facilitator for a used authorization. */
const usedForm = /^duplicate_settlement$|nonce_already_used$|^permit2_invalid_nonce$/;
/**
 * Reasons that may also mean a used authorization. The packages do not read Permit2 nonces, and a settled payment may
 * have used up the balance.
 */
const perhapsUsedForm = /(simulation|transaction)_failed$|insufficient_(balance|funds)$/;
const isPerhapsUsed = (reason: string): boolean => usedForm.test(reason) || perhapsUsedForm.test(reason);
const usedMessage =
  'Another call has already settled this payment. If the payment bought nothing, ask the seller for a refund before you pay again.';

const firstPauseMs = 200;

/** Charges payments of official schemes through a facilitator, in this order: verify, handler, settle, response. */
export class OfficialSales {
  constructor(private readonly options: OfficialSalesOptions) {}

  async take(call: OfficialCall): Promise<Verdict> {
    const { found, resource, method } = call;
    const { offer, payload, extensions, signed } = found;
    const paid = {
      x402Version: 2,
      resource,
      accepted: offer,
      payload,
      ...(extensions ? { extensions: forFacilitator(extensions) } : {}),
    };
    // A settled payment is public on its chain, but its identifier is not. A copy of the payment therefore receives no
    // stored response.
    const name = readIdentifier(extensions);
    const fingerprint = hashOf(method, resource.url, ...(name === undefined ? [] : [name]));
    const { id, payer } = signed;
    const sale: Sale = { ...found, call, id, fingerprint, paid, payer, amount: offer.amount };
    const claim = await this.claim(sale);
    if (!claim) return { kind: 'unknown', answer: facilitatorUnavailable(this.options.cors) };
    return this.follow(sale, claim);
  }

  private async claim({ id, fingerprint }: Sale): Promise<PaymentClaim | undefined> {
    try {
      return await this.options.claims.claim(id, fingerprint);
    } catch (error) {
      this.options.onFailed(error);
      return undefined;
    }
  }

  private async follow(sale: Sale, claim: PaymentClaim): Promise<Verdict> {
    const { cors } = this.options;
    if (isOfVouchers(sale.offer)) return this.followVoucher(sale, claim);
    if (claim.status === 'new') return sale.call.isLate ? this.tooLate(sale) : this.verify(sale);
    if (claim.status === 'unsettled') return this.settleAgain({ ...sale, amount: claim.amount }, claim);
    if (claim.status === 'settled') return { kind: 'repeated', answer: storedAnswer(claim.response, cors) };
    if (claim.status === 'conflict') return { kind: 'conflict', answer: claimConflict(cors) };
    return { kind: 'unknown', answer: claim.status === 'full' ? tooManyClaims(cors) : callInProgress(cors) };
  }

  /**
   * Follows a voucher claim. The store of vouchers decides which request a voucher paid for. Responses are not
   * repeated, because vouchers are public once claimed.
   */
  private async followVoucher(sale: Sale, claim: PaymentClaim): Promise<Verdict> {
    const { cors } = this.options;
    if (claim.status === 'unsettled') return this.settleAgain({ ...sale, amount: claim.amount }, claim);
    if (claim.status === 'running') return { kind: 'unknown', answer: callInProgress(cors) };
    if (claim.status === 'full') return { kind: 'unknown', answer: tooManyClaims(cors) };
    const isNew = claim.status === 'new';
    const verdict = await this.askVouchers(sale, isNew ? 'verify' : 'spent');
    if (verdict.status === 'valid')
      return { kind: 'granted', grant: this.grant({ ...sale, payer: verdict.payer ?? sale.payer }) };
    if (verdict.status === 'refund') return this.refund(sale);
    if (isNew) this.release(sale);
    if (verdict.status === 'busy') return { kind: 'unknown', answer: callInProgress(cors) };
    if (verdict.status === 'invalid') return this.rejected(sale, verdict);
    this.options.onFailed(verdict.error);
    return { kind: 'unknown', answer: facilitatorUnavailable(cors) };
  }

  private async askVouchers({ paid, offer }: Sale, how: 'verify' | 'spent'): Promise<VoucherVerdict> {
    try {
      return await (await this.options.vouchers!.of(offer))[how](paid, offer);
    } catch (error) {
      return { status: 'unavailable', error };
    }
  }

  /** Refunds the remainder of a channel. No handler runs. */
  private async refund(sale: Sale): Promise<Verdict> {
    const outcome = await this.settle({ ...sale, amount: sale.offer.amount }, undefined);
    this.release(sale);
    if (outcome.status === 'settled')
      return { kind: 'repeated', answer: refunded(await this.paidHeaders(sale, outcome)) };
    if (outcome.status === 'failed') return this.rejected(sale, outcome);
    return { kind: 'unknown', answer: this.unknown(sale, outcome) };
  }

  private tooLate(sale: Sale): Verdict {
    this.release(sale);
    return this.rejected(sale, {
      reason: 'payment_expired',
      message: 'The challenge has expired. Pay a new one.',
    });
  }

  private async verify(sale: Sale): Promise<Verdict> {
    const { facilitator, cors } = this.options;
    const verification = checked(sale, await facilitator.verify(sale.paid, sale.offer));
    if (verification.status === 'valid') {
      const verified = { ...sale, payer: sale.payer ?? verification.payer };
      return { kind: 'granted', grant: this.grant(verified) };
    }
    if (verification.status === 'invalid' && this.mayBePaid(verification))
      return this.takeOver(sale, { key: hashOf(randomUUID()) });
    this.release(sale);
    if (verification.status === 'invalid') return this.rejected(sale, verification);
    this.options.onFailed(verification.error);
    return { kind: 'unknown', answer: facilitatorUnavailable(cors) };
  }

  private mayBePaid({ reason }: { reason: string }): boolean {
    const { keepsOutcomes, onSettledElsewhere } = this.options;
    return (
      (keepsOutcomes && usedForm.test(reason)) || (onSettledElsewhere !== undefined && isPerhapsUsed(reason))
    );
  }

  /**
   * Claims the success of a settlement that a call without a key has made for this offer. The facilitator assigns that
   * success to the first key. The key is new, because a payment that was already served and evicted must not be served
   * again.
   */
  private async takeOver(sale: Sale, { key, transaction }: Taken): Promise<Verdict> {
    const { extensions, paid } = sale;
    // Restore the buyer's complete payment, because the facilitator replays only identical calls.
    const whole = extensions ? { ...sale, paid: { ...paid, extensions } } : sale;
    const outcome =
      transaction === undefined ? await this.settle(whole, undefined, key) : settledBy(transaction, sale);
    if (outcome.status === 'settled')
      return { kind: 'granted', grant: this.grant(sale, { settled: outcome, key }) };
    if (outcome.status === 'failed') {
      this.release(sale);
      return this.rejected(sale, outcome);
    }
    this.keepTaken(sale, { key });
    return { kind: 'unknown', answer: this.unknown(sale, outcome) };
  }

  private keepTaken({ id, fingerprint, amount }: Sale, taken: Taken): void {
    const unsettled: Unsettled = { outcome: 'lost', amount, response: undefined, taken };
    this.keep(() => this.options.claims.keepUnsettled(id, fingerprint, unsettled));
  }

  private rejected(
    sale: Sale,
    failure: {
      reason: string;
      message?: string | undefined;
      transaction?: string;
      offer?: OfficialRequirements;
    },
  ): Verdict {
    const kind = failure.reason === identifierTaken ? 'conflict' : 'payment_required';
    return { kind, answer: this.failure(sale, failure) };
  }

  private failure(sale: Sale, failure: Omit<OfficialFailure, 'network' | 'payer'>): Answer {
    const { call, offer, payer } = sale;
    // A new price would make the buyer pay again for the same call.
    if (failure.reason === identifierTaken) return identifierConflict(this.options.cors);
    const message = usedForm.test(failure.reason) ? usedMessage : failure.message;
    return call.required({ ...failure, message, network: offer.network, payer });
  }

  /** @param taken set if the payment is already settled for this request */
  private grant(sale: Sale, taken?: { settled: Settled; key: string }): HeldGrant {
    const { offer, call, id, payer = '' } = sale;
    const { scheme, network, payTo, amount } = offer;
    const payment: Payment = {
      confirmationId: id,
      scheme,
      network,
      from: payer,
      to: payTo,
      amount,
      asset: call.symbolOf(offer),
    };
    const headers = {
      'Cache-Control': 'private, no-store',
      Vary: 'Payment-Signature',
      ...this.options.cors,
    };
    const uncharged = failedHeader({ ...(taken ? unserved : notCharged), network, payer });
    const grant = new HeldGrant(
      payment,
      headers,
      { ...headers, 'PAYMENT-RESPONSE': uncharged },
      {
        settle: () =>
          taken ? this.charged(sale, taken.settled) : this.charge({ ...sale, amount: payment.amount }),
        isRefunded: call.isRefunded,
        keep: (response) =>
          this.keep(() =>
            this.options.claims.keepSettled(id, sale.fingerprint, isOfVouchers(offer) ? undefined : response),
          ),
        release: () => (taken ? this.keepTaken(sale, takenOf(taken)) : this.release(sale)),
      },
    );
    if (scheme !== 'exact') payment.chargeOnly = lowered(payment, grant, BigInt(amount));
    return grant;
  }

  private async charged(sale: Sale, settled: Settled): Promise<Charged> {
    return { status: 'settled', headers: await this.paidHeaders(sale, settled) };
  }

  private async charge(sale: Sale): Promise<Charged> {
    const outcome = await this.settle(sale, undefined);
    if (outcome.status === 'settled') return this.charged(sale, outcome);
    if (outcome.status === 'failed') {
      this.release(sale);
      return { status: 'failed', answer: this.failure(sale, outcome) };
    }
    const { id, fingerprint, amount } = sale;
    const answer = this.unknown(sale, outcome);
    const keep: Extract<Charged, { status: 'unknown' }>['keep'] = (response) =>
      this.keep(() =>
        this.options.claims.keepUnsettled(id, fingerprint, { outcome: outcome.status, amount, response }),
      );
    return { status: 'unknown', answer, keep };
  }

  /** Settles again after the handler has run. The stored response is sent when the payment is charged. */
  private async settleAgain(sale: Sale, before: Unsettled): Promise<Verdict> {
    if (before.taken) return this.takeOver(sale, before.taken);
    const outcome = await this.settle(sale, before);
    const { id, fingerprint } = sale;
    const { claims } = this.options;
    if (outcome.status === 'settled') {
      const headers = await this.paidHeaders(sale, outcome);
      const answer = storedAnswer(before.response, headers);
      const kept = before.response && {
        ...before.response,
        headers: answer.headers as Record<string, string>,
      };
      this.keep(() => claims.keepSettled(id, fingerprint, isOfVouchers(sale.offer) ? undefined : kept));
      return { kind: 'repeated', answer };
    }
    if (outcome.status === 'failed') {
      this.release(sale);
      return this.rejected(sale, outcome);
    }
    this.keep(() => claims.keepUnsettled(id, fingerprint, { ...before, outcome: outcome.status }));
    return { kind: 'unknown', answer: this.unknown(sale, outcome) };
  }

  private async paidHeaders(sale: Sale, settled: Settled): Promise<Headers> {
    const { cors } = this.options;
    const { call, offer, amount } = sale;
    const payer = sale.payer ?? settled.payer;
    if (amount !== '0') await this.record(call, offer.network, payer);
    const extensions = await this.receiptFor(sale, payer, settled);
    const response = settledHeader(settled, { ...offer, amount }, payer, extensions);
    return { 'PAYMENT-RESPONSE': response, ...call.receipt?.(settled), ...cors };
  }

  /** Records the payment for later sign-ins. A failure only affects these. */
  private async record(call: OfficialCall, network: string, payer: string | undefined): Promise<void> {
    try {
      await call.onSettled?.(network, payer);
    } catch (error) {
      this.options.onFailed(error);
    }
  }

  private async receiptFor({ call, offer }: Sale, payer: string | undefined, { transaction }: Settled) {
    if (payer === undefined) return undefined;
    const paid = { payer, network: offer.network, transaction };
    const receipt = await this.options.receipts?.receiptFor(call.resource.url, paid);
    return receipt && { [offerReceiptName]: receipt };
  }

  private unknown({ id, offer, payer }: Sale, outcome: Settlement): Answer {
    const transaction = outcome.status === 'pending' ? outcome.transaction : '';
    const failure = { reason: 'settlement_pending', transaction, network: offer.network, payer };
    return outcomeUnknown(id, failure, this.options.cors);
  }

  private async settle(
    sale: Sale,
    before: Unsettled | undefined,
    key = hashOf(this.options.claims.owner, sale.id),
  ): Promise<Settlement> {
    const outcome = await this.askSeller(sale, await this.settleInTime(sale, key));
    if (outcome.status === 'lost') this.options.onFailed(outcome.error);
    const wasLost = before?.outcome === 'lost' && !this.options.keepsOutcomes;
    // The lost attempt may have succeeded and caused the failure of this one.
    if (wasLost && outcome.status !== 'settled') return { status: 'lost', error: undefined };
    return outcome;
  }

  /**
   * Asks the seller for the transaction. A used authorization does not prove a payment, because its payer may have
   * cancelled it.
   */
  private async askSeller(sale: Sale, outcome: Settlement): Promise<Settlement> {
    const { onSettledElsewhere } = this.options;
    if (!onSettledElsewhere || outcome.status !== 'failed' || isOfVouchers(sale.offer)) return outcome;
    if (!isPerhapsUsed(outcome.reason)) return outcome;
    try {
      const transaction = await onSettledElsewhere(elsewhereOf(sale, outcome.reason));
      if (!transaction) return outcome;
      return settledBy(transaction, sale);
    } catch (error) {
      return { status: 'lost', error };
    }
  }

  /** Repeats the settlement while its transaction is pending. The facilitator returns the outcome of the first call. */
  private async settleInTime({ paid, offer, amount }: Sale, key: string): Promise<Settlement> {
    if (isOfVouchers(offer)) {
      const sales = await this.options.vouchers!.of(offer).catch((error: unknown) => ({ error }));
      return 'error' in sales ? { status: 'lost', error: sales.error } : sales.settle(paid, offer, amount);
    }
    const { facilitator, settleTimeoutMs } = this.options;
    const endMs = performance.now() + settleTimeoutMs;
    let pending: Settlement | undefined;
    for (let pauseMs = firstPauseMs; ; pauseMs *= 2) {
      const leftMs = Math.max(Math.ceil(endMs - performance.now()), 1);
      const outcome = await facilitator.settle(paid, { ...offer, amount }, key, leftMs);
      if (outcome.status !== 'pending') return outcome.status === 'lost' ? (pending ?? outcome) : outcome;
      pending = outcome;
      if (performance.now() + pauseMs >= endMs) return pending;
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }

  private release({ id, offer, paid }: Sale): void {
    this.keep(() => this.options.claims.release(id));
    if (isOfVouchers(offer)) this.keep(async () => (await this.options.vouchers!.of(offer)).release(paid));
  }

  /** Runs an action of a store. A failure of the store never fails a response. */
  private keep(act: () => void | Promise<void>): void {
    void Promise.resolve().then(act).catch(this.options.onFailed);
  }
}

const notCharged = {
  reason: 'not_charged',
  message: 'The seller could not serve the request: nothing was charged.',
};
const unserved = {
  reason: 'not_served',
  message: 'The seller could not serve the request. It is paid: send the same request again.',
};

const settledBy = (transaction: string, { payer }: Sale): Settled => ({
  status: 'settled',
  transaction,
  payer,
  amount: undefined,
  extra: undefined,
});

const takenOf = ({ key, settled: { transaction } }: { settled: Settled; key: string }): Taken => ({
  key,
  transaction,
});

const elsewhereOf = ({ call, offer, payer, payload }: Sale, reason: string): SettledElsewhere => ({
  method: call.method,
  url: call.resource.url,
  scheme: offer.scheme,
  network: offer.network,
  asset: offer.asset,
  payTo: offer.payTo,
  payer,
  amount: offer.amount,
  reason,
  payload,
});

/** Removes the extensions that concern only seller and buyer. */
function forFacilitator(extensions: Record<string, unknown>): Record<string, unknown> {
  const { [offerReceiptName]: _offers, [signInName]: _challenge, ...rest } = extensions;
  return rest;
}

/** Treats another payer as a failure, because the facilitator then verified a different payment. */
function checked({ payer }: Sale, verification: Verification): Verification {
  if (verification.status !== 'valid' || payer === undefined || verification.payer === undefined)
    return verification;
  if (verification.payer.toLowerCase() === payer.toLowerCase()) return verification;
  return {
    status: 'unavailable',
    error: new Error('The facilitator verified the payment of another payer.'),
  };
}

function lowered(payment: Payment, grant: HeldGrant, maxAtomic: bigint): (amountAtomic: bigint) => void {
  return (amountAtomic) => {
    if (grant.isCharging) throw new RangeError('The response has begun: the amount cannot be changed.');
    if (amountAtomic < 0n || amountAtomic > maxAtomic)
      throw new RangeError(`At most ${maxAtomic} can be charged, not ${amountAtomic}.`);
    payment.amount = amountAtomic.toString();
  };
}

const hashOf = (...parts: string[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32);
