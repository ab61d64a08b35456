import type { PublicPaymentRequest } from '@tollbridge/contracts';
import { html, webLink, type Html } from '../parts/html';
import type { Language } from '../texts/language';

interface Return {
  url: string | null | undefined;
  /** The name of the shop; null without one. */
  shop: string | null;
  reason: 'completed' | 'canceled';
  isButton?: boolean;
}

/** The link back to the shop after the payment of a request. */
export const successLink = (
  { success_url: url, store_name: shop }: PublicPaymentRequest,
  language: Language,
): Html | false => returnLink({ url, shop, reason: 'completed', isButton: true }, language);

/** The link back to the shop for a payer who does not pay. */
export const cancelLink = (
  url: string | null | undefined,
  shop: string | null,
  language: Language,
): Html | false => returnLink({ url, shop, reason: 'canceled' }, language);

/** A link back to the shop. In a frame, the script notifies the shop's page instead. */
function returnLink({ url, shop, reason, isButton = false }: Return, { rich }: Language): Html | false {
  const link = webLink(url);
  const label = shop === null ? rich('backToMerchant') : rich('backToShop', { shop });
  return (
    link !== null &&
    html`<p>
      <a${isButton && html` class="button"`} rel="noopener noreferrer" target="_top" data-return="${reason}" href="${link}">${label}</a>
    </p>`
  );
}
