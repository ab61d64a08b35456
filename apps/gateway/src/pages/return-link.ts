import { html, webLink, type Html } from './html';

const texts = { backToShop: 'Back to the shop' };

/** Where a payer who does not pay returns to. In a frame the module tells the shop's page instead. */
export function cancelLink(url: string | null | undefined): Html | false {
  const link = webLink(url);
  return (
    link !== null &&
    html`<p>
      <a rel="noopener noreferrer" target="_top" data-return="canceled" href="${link}">${texts.backToShop}</a>
    </p>`
  );
}
