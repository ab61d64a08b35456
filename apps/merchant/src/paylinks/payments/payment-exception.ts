import { formatUnits } from '@tollbridge/money';
import type { NewException } from '../../exceptions/record-exception';
import type { PayLink } from '../paylink';
import { paidAmount, type Payment } from './payment';

/** The exception of a payment that differs from the terms of its link; undefined for an ordinary payment. */
export function exceptionIn(
  link: PayLink,
  payment: Payment,
): Pick<NewException, 'kind' | 'amount' | 'reason'> | undefined {
  const { status, reason, transfer } = payment;
  switch (status) {
    case 'partial':
      return payment.partOf === null
        ? { kind: status, amount: transfer!.amount, reason: reason! }
        : undefined;
    case 'excess':
    case 'late':
    case 'inactive':
      return { kind: status, amount: transfer!.amount, reason: reason! };
    case 'counted':
      return overpaid(link, payment);
    case 'pending':
    case 'unverifiable':
    case 'rejected':
      return undefined;
  }
}

/** An open link has no amount, and each checkout of a link with a price has its own. So neither can be overpaid. */
function overpaid(link: PayLink, payment: Payment) {
  const over = paidAmount(payment) - link.amount;
  if (link.minAmount !== null || link.conversion !== null || over <= 0n) return undefined;
  const shown = (amount: bigint): string => `${formatUnits(amount, link.decimals)} ${link.token}`;
  const reason = `The payment is ${shown(paidAmount(payment))}; the PayLink asks for ${shown(link.amount)}.`;
  return { kind: 'overpaid', amount: over, reason } as const;
}
