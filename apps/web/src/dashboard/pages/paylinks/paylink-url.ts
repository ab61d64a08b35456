import type * as sdk from '@tollbridge/sdk';

type PayLink = sdk.PayLink;

/** The URL of the page for payers. */
export const urlOf = ({ id }: Pick<PayLink, 'id'>): string => `${location.origin}/l/${id}`;

export const qrUrlOf = ({ id }: Pick<PayLink, 'id'>): string => `/dashboard/qr/${id}`;

/** Whether payers can pay the link now, or the reason that they cannot. */
export function stateOf(link: PayLink): 'active' | 'paused' | 'expired' | 'used up' {
  if (!link.active) return 'paused';
  if (link.expires_at !== null && Date.parse(link.expires_at) <= Date.now()) return 'expired';
  return link.max_payments !== null && link.payment_count >= link.max_payments ? 'used up' : 'active';
}
