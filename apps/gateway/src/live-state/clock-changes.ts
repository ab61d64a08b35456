import { findChain } from '@tollbridge/chains';
import type { OrderReply, PaymentStatusReply, PublicPaymentRequest } from '@tollbridge/contracts';

// Confirmations of short blocks come several at once, and those of long blocks are not noticed much later.
const leastPaceMs = 1_000;
const mostPaceMs = 15_000;
// The service's clock may be behind: the state is read until it shows the end.
const skewMs = 1_000;

/** How often the confirmations of a payment are read: once in a block. An event for each block would cost a write. */
export function confirmationPaceMs(chainId: string): number {
  const blockTimeMs = findChain(chainId)?.blockTimeMs ?? mostPaceMs;
  return Math.min(Math.max(blockTimeMs, leastPaceMs), mostPaceMs);
}

/** The chain shows the payment of the order, and its confirmations are not complete. */
export const isConfirmingOrder = ({
  status,
  method,
  confirmations,
  required_confirmations: required,
}: Pick<OrderReply, 'status' | 'method' | 'confirmations' | 'required_confirmations'>): boolean =>
  status === 'settling' && method === 'Direct' && confirmations > 0 && confirmations < required;

/** A payment with instructions was submitted only: anyone may submit a hash, and no chain shows it. */
export const isConfirmingPayment = ({
  status,
  pay_tx,
  instructions,
  order,
}: Pick<PaymentStatusReply, 'status' | 'pay_tx' | 'instructions' | 'order'>): boolean =>
  status === 'executing' && order.method === 'Direct' && pay_tx !== null && instructions === null;

/** When to read an open request that has an end: it expires by the clock, without a write. Empty where no end comes. */
export function expiryReadMs(
  { status, expires_at: end }: Pick<PublicPaymentRequest, 'status' | 'expires_at'>,
  nowMs: number,
): number[] {
  return status === 'pending' && end !== null ? [Math.max(Date.parse(end), nowMs + skewMs)] : [];
}

/** When to read a request with an attempt to pay: the attempt stops to block by the clock. */
export function attemptReadMs({ attempt }: Pick<PublicPaymentRequest, 'attempt'>, nowMs: number): number[] {
  return attempt?.until ? [Math.max(Date.parse(attempt.until), nowMs + skewMs)] : [];
}
