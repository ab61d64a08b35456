import { html, type Html } from './html';

/**
 * The name of a shop, to be followed by its address. The merchant chooses the name, so the address is always shown too.
 * `bdi` prevents a right-to-left name from reordering the text around it.
 */
export function shopName(name: string | null): Html | false {
  return (
    name !== null &&
    html`<strong><bdi>${name}</bdi></strong
      ><br />`
  );
}
