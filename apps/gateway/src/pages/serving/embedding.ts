import type {
  PaymentStatusReply,
  PublicPayLink,
  PublicPaymentRequest,
  RecordPaymentReply,
} from '@tollbridge/contracts';
import type { Page } from '../parts/layout';

/** What the shop's page receives about the page that it shows. The names are those of the events of `embed.js`. */
export interface EmbeddedState {
  type: 'opened' | 'submitted' | 'completed' | 'failed' | 'expired';
  payment_request_id?: string;
  paylink_id?: string;
  payment_id: string | null;
  /** What the merchant receives, in the smallest unit; null where the payer chooses. */
  amount: string | null;
  currency: string;
  chain: string;
}

/**
 * A page for a frame or a window of pages of these origins. It reports its state to them. Without an origin the page
 * stays as it is.
 */
export function embedded(page: Page, origins: readonly string[], state: EmbeddedState): Page {
  if (origins.length === 0) return page;
  const enhancement = page.enhancement ?? { kind: 'ended', id: '', families: [], texts: {} };
  return { ...page, frameOrigins: origins, enhancement: { ...enhancement, embed: { origins, state } } };
}

/** The state of a request on the page of its ways to pay. */
export function stateOfRequest(request: PublicPaymentRequest): EmbeddedState {
  const types = {
    pending: 'opened',
    processing: 'submitted',
    completed: 'completed',
    expired: 'expired',
    canceled: 'expired',
  } as const;
  return { type: types[request.status], ...termsOf(request), payment_id: request.payment_id };
}

/** The state of one payment of a request. */
export function stateOfPayment(status: PaymentStatusReply): EmbeddedState {
  const isWaiting = status.status === 'executing' && status.pay_tx === null;
  const type = status.status === 'executing' ? (isWaiting ? 'opened' : 'submitted') : status.status;
  return { type, ...termsOf(status.payment_request), payment_id: status.payment_id };
}

/** The state of a PayLink, or of a transaction that a payer has submitted for it. */
export function stateOfLink(link: PublicPayLink, type: EmbeddedState['type'] = 'opened'): EmbeddedState {
  return {
    type,
    paylink_id: link.id,
    payment_id: null,
    amount: link.openAmount ? null : link.amount,
    currency: link.token,
    chain: link.network,
  };
}

/** What a submitted transaction means for the shop's page. */
export function stateAfter({ success, status }: RecordPaymentReply): 'completed' | 'submitted' | 'failed' {
  if (success) return 'completed';
  return status === 'pending' || status === 'unverifiable' ? 'submitted' : 'failed';
}

const termsOf = ({ id, paylink_id: link, amount, currency, chain }: PublicPaymentRequest) => ({
  payment_request_id: id,
  ...(link !== null && { paylink_id: link }),
  amount,
  currency,
  chain,
});
