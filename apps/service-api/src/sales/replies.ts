import type { SaleReply } from '@tollbridge/contracts';
import type { PaymentProblem } from './received-payment';
import type { PaymentIdentity, Sale } from './sale';

type Receipt = Record<string, unknown>;

/** The reply when nothing was paid: it contains a new offer. */
export const unpaidReply = (
  { reason, message }: PaymentProblem,
  { identity }: { identity?: Pick<PaymentIdentity, 'network' | 'payer'> } = {},
): SaleReply => ({
  outcome: 'unpaid',
  receipt: {
    success: false,
    errorReason: reason,
    errorMessage: message,
    transaction: '',
    network: identity?.network ?? 'unknown',
    ...(identity && { payer: identity.payer }),
  },
});

export const servedReply = (sale: Sale, output: unknown, purchaseToken?: string): SaleReply => ({
  outcome: 'served',
  output,
  ...(purchaseToken !== undefined && { purchaseToken }),
  receipt: { ...receiptOf(sale), success: true, amount: String(sale.amountAtomic) },
});

/** The reply when the payment was settled and nothing was bought: the payment is refunded. */
export function declinedReply(sale: Sale): SaleReply {
  const { failure, refundAtomic, refundTransaction, state } = sale;
  const refund = {
    refund: state === 'refunded' ? 'done' : 'pending',
    refundedAmount: String(refundAtomic),
    ...(refundTransaction !== null && { refundTransaction }),
  };
  const { extra, ...receipt } = receiptOf(sale);
  return {
    outcome: 'declined',
    failure: { ...failure },
    receipt: {
      ...receipt,
      success: false,
      errorReason: 'refunded',
      errorMessage: 'Nothing was bought. The payment is refunded.',
      extra: { ...(extra as Receipt), ...refund },
    },
  };
}

const receiptOf = ({ id, transaction, network, payer }: Sale): Receipt => ({
  transaction: transaction ?? '',
  network,
  payer,
  extra: { saleId: id },
});
