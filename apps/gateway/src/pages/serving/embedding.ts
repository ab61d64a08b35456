import type {
  PaymentStatusReply,
  PublicPayLink,
  PublicPaymentRequest,
  RecordPaymentReply,
} from '@tollbridge/contracts';
import type { Page } from '../parts/layout';

/** The state that an embedded page sends to the shop's page. The type names are those of the events of `embed.js`. */
export interface EmbeddedState {
  type: 'opened' | 'submitted' | 'completed' | 'failed' | 'expired';
  payment_request_id?: string;
  paylink_id?: string;
  payment_id: string | null;
  /** The amount for the merchant, in the smallest unit; null when the payer chooses it. */
  amount: string | null;
  currency: string;
  chain: string;
}

/**
 * Allows pages of these origins to embed the page in a frame or open it in a window. The page sends its state to them.
 * Without an origin, the page is returned unchanged.
 */
export function embedded(page: Page, origins: readonly string[], state: EmbeddedState): Page {
  if (origins.length === 0) return page;
  const enhancement = page.enhancement ?? { kind: 'ended', id: '', families: [], texts: {} };
  return { ...page, frameOrigins: origins, enhancement: { ...enhancement, embed: { origins, state } } };
}

/** The state of a request on the page of its payment options. */
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

/** The state for the shop's page after a transaction was submitted. */
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
