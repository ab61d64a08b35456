import { html, webLink, type Html } from './html';
import type { Language } from './texts/language';

/** Where a payer who does not pay returns to. In a frame the module notifies the shop's page instead. */
export function cancelLink(
  url: string | null | undefined,
  shop: string | null,
  { rich }: Language,
): Html | false {
  const link = webLink(url);
  const label = shop === null ? rich('backToMerchant') : rich('backToShop', { shop });
  return (
    link !== null &&
    html`<p>
      <a rel="noopener noreferrer" target="_top" data-return="canceled" href="${link}">${label}</a>
    </p>`
  );
}
