import {
  chargeItem,
  extraOf,
  isAsset,
  maxHoldS,
  readAccount,
  readAmount,
  readNetwork,
  readPaymentPayload,
  receiptOf,
  resourceHash,
  schemeName,
  rejectionMessage,
  termsFor,
  type Deployment,
  type PaymentTerms,
  type PresentedPayment,
  type Price,
  type Rejection,
} from '@tollbridge/nanopay-protocol';
import { LRUCache } from 'lru-cache';
import { Batcher } from '../batcher';
import { newCallKey } from '../call-keys';
import { Charges, type AttemptResult } from '../charges';
import type { Transport } from '../transport';
import type {
  OfficialNetwork,
  OfficialPayload,
  OfficialRequirements,
  OfficialSettlement,
  OfficialVerification,
} from './official-types';

export interface TonNanopayFacilitatorOptions {
  deployment: Deployment;
  transport: Transport;
  budgetMs?: number;
  messageTimeoutMs?: number;
  onRefundFailed?: (confirmationId: string) => void;
  /** Unix milliseconds. */
  clock?: () => number;
}

interface Claimed {
  presented: PresentedPayment;
  terms: PaymentTerms;
  amountAtomic: bigint;
}

/** Maximum number of payments that can still be refunded. Older payments need a manual refund. */
const maxCalls = 10_000;

/**
 * The scheme for the official facilitator in the seller's own process. `verify` holds the amount, and `settle` charges
 * it.
 */
export class TonNanopayFacilitator {
  readonly scheme: typeof schemeName = schemeName;
  readonly caipFamily = 'tvm:*';
  private readonly charges: Charges;
  private readonly calls = new LRUCache<string, Buffer>({ max: maxCalls });
  private readonly clock: () => number;

  constructor(private readonly options: TonNanopayFacilitatorOptions) {
    const { transport, budgetMs = 5_000, messageTimeoutMs = 2_000 } = options;
    const batcher = new Batcher(transport, { messageTimeoutMs, maxUnderWay: 4, maxWaiting: 10_000 });
    this.charges = new Charges(batcher, {
      budgetMs,
      messageTimeoutMs,
      enclaveKeys: undefined,
      onRefundFailed: options.onRefundFailed ?? (() => undefined),
    });
    this.clock = options.clock ?? Date.now;
  }

  getExtra(network: string): Record<string, unknown> | undefined {
    if (readNetwork(network) !== this.options.deployment.network) return undefined;
    // The seller chooses the payment flow.
    const { paymentFlow: _flow, ...extra } = extraOf(this.options.deployment);
    return extra;
  }

  getSigners(_network: string): string[] {
    return [this.options.deployment.verifyingContract];
  }

  /** @throws Error if the outcome is unknown, because a rejection would make the buyer pay twice */
  async verify(payload: OfficialPayload, requirements: OfficialRequirements): Promise<OfficialVerification> {
    const claimed = this.read(payload, requirements);
    if (typeof claimed === 'string') return invalid(claimed);
    const holdS = Math.min(Math.max(Math.floor(requirements.maxTimeoutSeconds), 1), maxHoldS);
    const result = await this.attempt('hold', claimed, holdS);
    if (result.status === 'unknown') throw new Error('The payment ledger service did not answer.');
    const payer = claimed.terms.from;
    if (result.status === 'rejected')
      return { ...invalid(result.reason), payer, ...approvalExtra(result.approvalId) };
    const { confirmationId } = result;
    return { isValid: true, payer, extra: { confirmationId, status: 'held' } };
  }

  async settle(payload: OfficialPayload, requirements: OfficialRequirements): Promise<OfficialSettlement> {
    const { network } = requirements;
    // A refund is for the accepted price.
    const isVoid = requirements.amount === '0';
    const claimed = this.read(payload, isVoid ? payload.accepted : requirements);
    if (typeof claimed === 'string') return failed(claimed, network);
    return isVoid ? this.refund(claimed, network) : this.charge(claimed, network);
  }

  private async charge(claimed: Claimed, network: OfficialNetwork): Promise<OfficialSettlement> {
    const result = await this.attempt('charge', claimed, 0);
    const payer = claimed.terms.from;
    // The official server repeats the call with the same key, which resolves the outcome.
    if (result.status === 'unknown')
      return {
        success: false,
        errorReason: 'settlement_pending',
        transaction: result.confirmationId,
        network,
      };
    if (result.status === 'rejected')
      return { ...failed(result.reason, network), payer, ...approvalExtra(result.approvalId) };
    const { confirmationId, outcome } = result;
    const amount = outcome.amountAtomic.toString();
    const extra = { confirmationId, chargedAmount: amount, receipt: receiptOf(outcome) };
    return { success: true, transaction: confirmationId, network, payer, amount, extra };
  }

  private async refund(
    { terms, ...claimed }: Claimed,
    network: OfficialNetwork,
  ): Promise<OfficialSettlement> {
    const { confirmationId } = this.charges.nameOf(item('charge', { terms, ...claimed }, 0));
    const callKey = this.calls.get(confirmationId);
    this.calls.delete(confirmationId);
    const result = callKey && (await this.charges.refund(callKey, confirmationId));
    if (!result || result.status === 'none' || result.status === 'failed')
      return failed('invalid_transaction_state', network);
    const extra = {
      confirmationId,
      chargedAmount: '0',
      refund: result.status === 'refunded' ? 'done' : 'pending',
      ...(result.status === 'refunded' ? { receipt: receiptOf(result.outcome) } : {}),
    };
    return { success: true, transaction: confirmationId, network, payer: terms.from, amount: '0', extra };
  }

  private async attempt(kind: 'charge' | 'hold', claimed: Claimed, holdS: number): Promise<AttemptResult> {
    const { validBeforeS } = claimed.terms;
    const result = await this.charges.attempt(item(kind, claimed, holdS), validBeforeS, this.clock());
    if (result.status === 'done') this.calls.set(result.confirmationId, result.callKey);
    return result;
  }

  /** Compares a payment with the seller's requirements, which must be for this deployment. */
  private read(payload: OfficialPayload, requirements: OfficialRequirements): Claimed | Rejection {
    const { deployment } = this.options;
    const price = priceOf(payload, requirements, deployment);
    if (!price) return 'invalid_payment_requirements';
    const presented = readPaymentPayload(payload as unknown as Record<string, unknown>);
    if (typeof presented === 'string') return presented === 'malformed' ? 'invalid_payload' : presented;
    // The server has already compared the accepted offer with its own offer.
    const { accepted: _compared, ...claimed } = presented;
    const terms = termsFor({ ...claimed, accepted: undefined }, price, deployment, this.clock() / 1_000);
    return typeof terms === 'string' ? terms : { presented, terms, amountAtomic: price.amountAtomic };
  }
}

const item = (kind: 'charge' | 'hold', { presented, terms, amountAtomic }: Claimed, holdS: number) =>
  chargeItem(presented, terms, { kind, holdS, amountAtomic, callKey: newCallKey() });

function priceOf(
  payload: OfficialPayload,
  { scheme, network, asset, amount, payTo, maxTimeoutSeconds, extra }: OfficialRequirements,
  deployment: Deployment,
): Price | undefined {
  const to = readAccount(payTo, deployment.network.globalId === -3);
  const amountAtomic = readAmount(amount);
  const isOurs =
    scheme === schemeName && readNetwork(network) === deployment.network && isAsset(asset, deployment.asset);
  if (!isOurs || to === undefined || amountAtomic === undefined || !(maxTimeoutSeconds >= 1))
    return undefined;
  const url = payload.resource?.url ?? '';
  const method = typeof extra?.method === 'string' ? extra.method : 'GET';
  return { to, amountAtomic, resourceHash: resourceHash(method, url), url, maxTimeoutS: maxTimeoutSeconds };
}

const invalid = (reason: Rejection): OfficialVerification => ({
  isValid: false,
  invalidReason: reason,
  invalidMessage: rejectionMessage(reason),
});

const failed = (reason: Rejection, network: OfficialNetwork): OfficialSettlement => ({
  success: false,
  errorReason: reason,
  errorMessage: rejectionMessage(reason),
  transaction: '',
  network,
});

const approvalExtra = (approvalId: Buffer | undefined): { extra?: { approvalId: string } } =>
  approvalId ? { extra: { approvalId: approvalId.toString('hex') } } : {};
