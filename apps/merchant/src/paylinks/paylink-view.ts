import type {
  PayLink as PayLinkView,
  PayLinkPayment,
  PublicPayLink,
  RecordPaymentReply,
} from '@tollbridge/contracts';
import { findChain, transferReference } from '@tollbridge/chains';
import { leastAmount, type PayLink } from './paylink';
import { isUndecided, paidAmount, type Payment } from './payments/payment';
import { logoPath, type Storefront } from '../settings/storefront';

const textOf = (amount: bigint | null): string | null => (amount === null ? null : String(amount));

const time = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString());

export const networkOf = (chain: string): string => findChain(chain)!.caip2;

/** Facts about a link that are not stored in the link's row. */
export interface LinkFacts {
  /** Whether a node of the link's network is configured. */
  isVerifiable: boolean;
  /** Whether the link's wallet has proven its receiving address. */
  isReceiverProven: boolean;
}

/** The reference that a payer may attach to a transfer; null on chains where references are not read. */
const referenceTo = ({ id, chain }: PayLink): string | null => transferReference(findChain(chain)!, id);

/** A link for its merchant. */
export function viewOf(link: PayLink, { isVerifiable, isReceiverProven }: LinkFacts): PayLinkView {
  return {
    id: link.id,
    wallet_address: link.wallet,
    name: link.name,
    amount: String(link.amount),
    ...link.conversion,
    token: link.token,
    network: networkOf(link.chain),
    description: link.description,
    receive_address: link.receiveAddress,
    receiver_verified: isReceiverProven,
    ...(link.imageUrl !== null && { image_url: link.imageUrl }),
    active: link.isActive,
    payment_count: link.paymentCount,
    unverified_count: link.unverifiedCount,
    verifiable: isVerifiable,
    reference: referenceTo(link),
    open_amount: link.minAmount !== null,
    min_amount: link.minAmount === null ? null : String(link.minAmount),
    expires_at: time(link.expiresAtMs),
    max_payments: link.maxPayments,
    metadata: link.metadata,
    success_url: link.successUrl,
    cancel_url: link.cancelUrl,
    created_at: time(link.createdAtMs)!,
    updated_at: time(link.updatedAtMs)!,
  };
}

/** A link for payers, with the public fields only. */
export function publicViewOf(
  link: PayLink,
  { isReceiverProven, storefront }: { isReceiverProven: boolean; storefront: Storefront },
): PublicPayLink {
  return {
    id: link.id,
    name: link.name,
    amount: String(link.amount),
    ...link.conversion,
    token: link.token,
    network: networkOf(link.chain),
    description: link.description,
    storeName: storefront.storeName,
    storeColor: storefront.storeColor,
    storeLogo: logoPath(storefront.logoHash),
    embedOrigins: [...storefront.embedOrigins],
    receiveAddress: link.receiveAddress,
    ...(link.imageUrl !== null && { imageUrl: link.imageUrl }),
    expiresAt: time(link.expiresAtMs),
    openAmount: link.minAmount !== null,
    minAmount: link.minAmount === null ? null : String(leastAmount(link)),
    successUrl: link.successUrl,
    cancelUrl: link.cancelUrl,
    tokenAddress: link.tokenAddress,
    decimals: link.decimals,
    receiverVerified: isReceiverProven,
    reference: referenceTo(link),
  };
}

/** @param receiverBalance the current balance of the receiver of an unverifiable payment; null when it was not read */
export function paymentViewOf(payment: Payment, receiverBalance: bigint | null = null): PayLinkPayment {
  const { balanceAtReport } = payment;
  return {
    id: payment.id,
    tx_hash: payment.txHash,
    status: payment.status,
    verified: payment.isVerified,
    confirmed: payment.isConfirmed,
    amount: payment.transfer && String(paidAmount(payment)),
    payer: payment.transfer?.payer ?? null,
    value_usd: payment.valueUsd,
    order_id: payment.orderId,
    part_of: payment.partOf,
    reason: payment.partOf === null ? payment.reason : null,
    paid_at: time(payment.block?.paidAtMs ?? null),
    recorded_at: time(payment.recordedAtMs)!,
    receiver_balance: isUndecided(payment)
      ? { at_report: textOf(balanceAtReport), now: textOf(receiverBalance) }
      : null,
  };
}

/** The reply to the report of a payment. */
export function replyOf({ status, isVerified, reason, partOf }: Payment): RecordPaymentReply {
  switch (status) {
    case 'counted':
      return { success: true, verified: isVerified };
    case 'pending':
    case 'unverifiable':
      return { success: false, verified: false, status, ...(reason !== null && { error: reason }) };
    case 'partial':
      // A partial payment counts after other partial payments have completed it.
      return partOf === null
        ? { success: false, verified: false, status, error: reason! }
        : { success: true, verified: true };
    case 'rejected':
      return rejectedReply(reason ?? '');
    case 'excess':
    case 'late':
    case 'inactive':
      return { success: false, verified: true, status, error: reason ?? '' };
  }
}

export const rejectedReply = (error: string): RecordPaymentReply => ({
  success: false,
  verified: false,
  error,
});
