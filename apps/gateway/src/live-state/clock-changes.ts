import { findChain } from '@tollbridge/chains';
import type { OrderReply, PaymentStatusReply, PublicPaymentRequest } from '@tollbridge/contracts';

// The first limit groups the confirmations of short blocks. The second one bounds the delay on chains with long blocks.
const leastPaceMs = 1_000;
const mostPaceMs = 15_000;
// The service's clock may be behind, so the state is read until it includes the expiry.
const skewMs = 1_000;

/**
 * The interval between reads of a payment's confirmations: the block time of the chain, within limits. An event for
 * each block would cost a database write.
 */
export function confirmationPaceMs(chainId: string): number {
  const blockTimeMs = findChain(chainId)?.blockTimeMs ?? mostPaceMs;
  return Math.min(Math.max(blockTimeMs, leastPaceMs), mostPaceMs);
}

/** Whether the chain shows the payment of the order, but not all confirmations. */
export const isConfirmingOrder = ({
  status,
  method,
  confirmations,
  required_confirmations: required,
}: Pick<OrderReply, 'status' | 'method' | 'confirmations' | 'required_confirmations'>): boolean =>
  status === 'settling' && method === 'Direct' && confirmations > 0 && confirmations < required;

/**
 * Whether the chain shows the payment, but not all confirmations. A payment that still has instructions does not count:
 * any client may submit a hash, and no chain shows it.
 */
export const isConfirmingPayment = ({
  status,
  pay_tx,
  instructions,
  order,
}: Pick<PaymentStatusReply, 'status' | 'pay_tx' | 'instructions' | 'order'>): boolean =>
  status === 'executing' && order.method === 'Direct' && pay_tx !== null && instructions === null;

/**
 * The times to read an open request with an expiry, because it expires by the clock without a write. Empty when it does
 * not expire.
 */
export function expiryReadMs(
  { status, expires_at: end }: Pick<PublicPaymentRequest, 'status' | 'expires_at'>,
  nowMs: number,
): number[] {
  return status === 'pending' && end !== null ? [Math.max(Date.parse(end), nowMs + skewMs)] : [];
}

/** The times to read a request with an attempt to pay, because the attempt stops blocking by the clock. */
export function attemptReadMs({ attempt }: Pick<PublicPaymentRequest, 'attempt'>, nowMs: number): number[] {
  return attempt?.until ? [Math.max(Date.parse(attempt.until), nowMs + skewMs)] : [];
}
