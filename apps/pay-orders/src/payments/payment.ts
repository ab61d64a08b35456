import type { Payment, PaymentFields, ReportedTransaction } from '@tollbridge/chain-port';
import { amountIn, deadlineOf, type Order, type OrderTerms } from '../orders/order';

/** An order with the transaction that was reported for it. */
export interface ReportedOrder extends Order {
  payTx: string;
  payTxSinceMs: number;
}

/** The fields that a payment of this order must have. */
export function expectedFields(order: OrderTerms): PaymentFields {
  return {
    token_in: order.payToken,
    token_out: order.settleToken,
    amount_in: String(amountIn(order)),
    token_in_address: order.direct!.tokenInAddress,
    merchant: order.merchantAddress,
    merchant_amount: String(order.merchantAmount),
    fee_receiver: order.feeReceiver,
    fee_amount: String(order.feeAmount),
    deadline: String(deadlineOf(order)),
  };
}

/** The differences between a payment and its order as sentences; empty when the payment pays the order. */
export function differences(order: OrderTerms, payment: Pick<Payment, 'fields'>): string[] {
  const expected = expectedFields(order);
  return (Object.keys(expected) as (keyof PaymentFields)[])
    .filter((name) => expected[name] !== payment.fields[name])
    .map((name) => `${name} is ${payment.fields[name].slice(0, 80)}, not ${expected[name]}`);
}

/**
 * The reason that a reported transaction does not pay the order, or `wait` while it still may. `mayTransfer`: it may
 * have paid the merchant without the payment contract. `mayBeElsewhere`: the chain of the order does not have it.
 */
export type ReportVerdict =
  | { kind: 'wait' }
  | { kind: 'reject'; reason: string; mayTransfer?: boolean; mayBeElsewhere?: boolean };

export interface Report {
  order: Order;
  transaction: ReportedTransaction;
  /** The height up to where payments of the chain were read. */
  readHeight: number;
  /** Since when the transaction is missing. */
  sinceMs: number;
  /** The time, limited by the chain's own time, which does not advance while the chain is halted or a node lags. */
  nowMs: number;
}

// Long enough for a crowded mempool and for the propagation between nodes. The value is from the specification's
// decisions.
const notFoundAfterMs = 10 * 60_000;

/**
 * Verifies a reported transaction while the watcher has not found its payment. A rejection is not final, so it needs no
 * confirmations. The watcher still finds a payment that appears after a reorganisation.
 */
export function verifyReport(report: Report): ReportVerdict {
  const { order, transaction, readHeight } = report;
  if (transaction.state === 'notFound' || transaction.state === 'pending')
    return verifyUnmined(report, transaction.state);
  if (readHeight < transaction.height) return { kind: 'wait' };
  if (transaction.state === 'failed')
    return { kind: 'reject', reason: 'TX_REVERTED: the reported transaction reverted' };
  const { payments, paysOtherContract } = transaction;
  const own = payments.filter(({ orderId }) => orderId === order.id).map((it) => differences(order, it));
  // The watcher settles a matching payment.
  if (own.some((different) => different.length === 0)) return { kind: 'wait' };
  if (own[0]) return { kind: 'reject', reason: mismatchReason(own[0]) };
  if (payments.length > 0)
    return { kind: 'reject', reason: 'PAYS_ANOTHER_ORDER: the reported transaction pays another order' };
  return paysOtherContract
    ? {
        kind: 'reject',
        reason: 'OTHER_CONTRACT: the payment was made to a contract that is not the payment contract',
      }
    : {
        kind: 'reject',
        reason: 'NO_PAYMENT: the reported transaction does not call the payment contract',
        mayTransfer: true,
      };
}

function verifyUnmined({ order, sinceMs, nowMs }: Report, state: 'notFound' | 'pending'): ReportVerdict {
  if (nowMs - sinceMs < notFoundAfterMs) return { kind: 'wait' };
  if (state === 'notFound')
    return {
      kind: 'reject',
      reason: 'TX_NOT_FOUND: the reported transaction was not found within 10 minutes',
      mayBeElsewhere: true,
    };
  // A pending transaction may still be mined, and pays until the contract's deadline.
  if (nowMs <= order.expiresAtMs) return { kind: 'wait' };
  return {
    kind: 'reject',
    reason: 'TX_NOT_MINED: the reported transaction was not mined before the order expired',
  };
}

// The maximum length of texts in events.
const maxReasonLength = 256;

/** As many differences as a reason can contain, and the number of the others. */
function mismatchReason(different: string[]): string {
  const reasonOf = (count: number): string => {
    const rest = different.length - count;
    const listed = different.slice(0, count).join('; ');
    return `PAYMENT_MISMATCH: ${listed}${rest === 0 ? '' : `; and ${rest} more`}`;
  };
  let count = different.length;
  while (count > 1 && reasonOf(count).length > maxReasonLength) count--;
  return reasonOf(count);
}
