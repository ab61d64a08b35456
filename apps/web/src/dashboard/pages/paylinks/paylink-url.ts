import type * as sdk from '@tollbridge/sdk';

type PayLink = sdk.PayLink;

/** The page that payers open. */
export const urlOf = ({ id }: Pick<PayLink, 'id'>): string => `${location.origin}/l/${id}`;

export const qrUrlOf = ({ id }: Pick<PayLink, 'id'>): string => `/dashboard/qr/${id}`;

/** Whether payers can pay it now, and why not. */
export function stateOf(link: PayLink): 'active' | 'paused' | 'expired' | 'used up' {
  if (!link.active) return 'paused';
  if (link.expires_at !== null && Date.parse(link.expires_at) <= Date.now()) return 'expired';
  return link.max_payments !== null && link.payment_count >= link.max_payments ? 'used up' : 'active';
}
