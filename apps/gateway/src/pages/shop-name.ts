import { html, type Html } from './html';

/**
 * The name of a shop in front of its address. The name is what the merchant says, so the address always stands beside it;
 * `bdi` keeps a name in a right-to-left script from reordering the text around it.
 */
export function shopName(name: string | null): Html | false {
  return (
    name !== null &&
    html`<strong><bdi>${name}</bdi></strong
      ><br />`
  );
}
