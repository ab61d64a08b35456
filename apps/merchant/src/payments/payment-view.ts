import type {
  MerchantPayment,
  PaymentRequestFound,
  PaymentRequestReply,
  PaymentStatusReply,
  PublicPaymentRequest,
  StatsReply,
} from '@tollbridge/contracts';
import { Decimal, formatUnits } from '@tollbridge/money';
import { fiatVolume, type FiatDayRow } from '../rates/fiat-volume';
import { attemptView } from './attempts/attempt';
import { instructionsFor, type InstructionTerms } from './options/instructions';
import { progressOf, requestStatus, stepsFor, type PaymentRequest } from './payment';
import type { FromToken } from './options/payment-options';
import { logoPath } from '../settings/storefront';
import type { NamedPaymentRequest, StatsRow } from './requests/payment-requests.repository';
import type { Payment } from './payments.repository';

const time = (ms: number): string => new Date(ms).toISOString();
const timeOrNull = (ms: number | null): string | null => (ms === null ? null : time(ms));
const textOrNull = (amount: bigint | null): string | null => (amount === null ? null : String(amount));

/** The request for its merchant. */
export function requestView(request: PaymentRequest, publicUrl: string, nowMs: number): PaymentRequestReply {
  const base = publicUrl.replace(/\/+$/, '');
  return {
    id: request.id,
    status: requestStatus(request, nowMs),
    amount: String(request.amount),
    ...request.conversion,
    currency: request.currency,
    chain: request.chain,
    description: request.description,
    metadata: request.metadata,
    receive_address: request.receiveAddress ?? '',
    receive_address_required: request.receiveAddress === null,
    paylink_id: request.paylinkId,
    success_url: request.successUrl,
    cancel_url: request.cancelUrl,
    payment_link: `${base}/checkout/${request.id}`,
    qr_code_url: `${base}/api/v1/payment/${request.id}/qr.png`,
    completed_payments: request.completedPayments,
    overpaid: request.completedPayments > 1,
    expires_at: timeOrNull(request.expiresAtMs),
    created_at: time(request.createdAtMs),
    updated_at: time(request.updatedAtMs),
  };
}

/** The request for payers, without `metadata`. */
export function publicView(
  request: NamedPaymentRequest,
  { chain, token }: FromToken,
  paymentId: string | null,
  nowMs: number,
): PublicPaymentRequest {
  return {
    id: request.id,
    status: requestStatus(request, nowMs),
    amount: String(request.amount),
    amount_formatted: formatUnits(request.amount, token.decimals),
    ...request.conversion,
    currency: request.currency,
    chain: request.chain,
    chain_name: chain.name,
    description: request.description,
    merchant: request.wallet,
    store_name: request.storeName,
    store_color: request.storeColor,
    store_logo: logoPath(request.logoHash),
    embed_origins: [...request.embedOrigins],
    receive_address: request.receiveAddress ?? '',
    receive_address_required: request.receiveAddress === null,
    success_url: request.successUrl,
    cancel_url: request.cancelUrl,
    expires_at: timeOrNull(request.expiresAtMs),
    payment_id: paymentId,
    attempt: attemptView(request.attempt, nowMs),
    paylink_id: request.paylinkId,
  };
}

/** The state of a request from its row alone. */
export const foundView = (request: NamedPaymentRequest, nowMs: number): Required<PaymentRequestFound> => ({
  id: request.id,
  status: requestStatus(request, nowMs),
  amount: String(request.amount),
  paylink_id: request.paylinkId,
  attempt: attemptView(request.attempt, nowMs),
});

export function paymentView(payment: Payment, metadata: MerchantPayment['metadata']): MerchantPayment {
  return {
    payment_id: payment.id,
    payment_request_id: payment.requestId,
    status: payment.status,
    amount: String(payment.amount),
    ...payment.conversion,
    currency: payment.currency,
    chain: payment.chain,
    description: payment.description,
    metadata,
    from_token: payment.fromToken,
    from_chain: payment.fromChain,
    execution_strategy: payment.strategy,
    order_id: payment.orderId,
    pay_tx: payment.payTx,
    settle_tx: payment.settleTx,
    settled_amount: textOrNull(payment.settledAmount),
    settled_value_usd: payment.settledValueUsd,
    failure_reason: payment.failureReason,
    created_at: time(payment.createdAtMs),
    updated_at: time(payment.updatedAtMs),
  };
}

/**
 * Whether the pages show payment instructions and allow a wallet to pay. Anyone may report a hash, so this stays true
 * until the chain shows the payment.
 */
export function canBePaid({ orderStatus, order, paidBy, isSeen }: Payment): boolean {
  if (orderStatus === 'waiting_payment') return true;
  return orderStatus === 'settling' && !isSeen && (order.toPay.direct === null || paidBy === null);
}

export function statusView(
  payment: Payment,
  request: PublicPaymentRequest,
  from: FromToken | undefined,
  terms: InstructionTerms,
): PaymentStatusReply {
  const steps = stepsFor(payment.strategy, payment);
  return {
    payment_id: payment.id,
    payment_request_id: payment.requestId,
    status: payment.status,
    payment_request: request,
    steps,
    progress: progressOf(steps),
    from_token: payment.fromToken,
    from_chain: payment.fromChain,
    execution_strategy: payment.strategy,
    order_id: payment.orderId,
    order: payment.order.toPay,
    instructions: canBePaid(payment) && from ? instructionsFor(payment.order.toPay, from, terms) : null,
    pay_tx: payment.payTx,
    settle_tx: payment.settleTx,
    failure_reason: payment.failureReason,
    version: payment.orderVersion,
    created_at: time(payment.createdAtMs),
    updated_at: time(payment.updatedAtMs),
  };
}

interface StatsTerms {
  /** The first days of the periods. */
  starts: Record<'today' | 'week' | 'month', string>;
  currency: string;
  /** The days of all periods in `currency`; empty for dollars. */
  days: readonly FiatDayRow[];
}

export function statsView(rows: readonly StatsRow[], { starts, currency, days }: StatsTerms): StatsReply {
  const of = (name: 'today' | 'week' | 'month'): StatsReply['today'] => {
    const fiat =
      currency === 'USD'
        ? undefined
        : fiatVolume(
            days.filter(({ day }) => day >= starts[name]),
            currency,
          );
    const sums = rows
      .map(({ currency, chain, periods }) => ({ currency, chain, ...periods[name] }))
      .filter(({ payments }) => payments > 0);
    return {
      total_payments: sums.reduce((sum, { payments }) => sum + payments, 0),
      total_amount: Decimal.sum(sums.map(({ usd }) => usd)).number,
      currency: 'USD',
      unpriced_payments: sums.reduce((sum, { unpriced }) => sum + unpriced, 0),
      by_currency: sums.map(({ currency, chain, payments, amount }) => ({
        currency,
        chain,
        total_payments: payments,
        total_amount: String(amount),
      })),
      ...(fiat && { value: fiat.volume, value_currency: currency, unvalued_payments: fiat.unpriced }),
    };
  };
  return { today: of('today'), this_week: of('week'), this_month: of('month') };
}
