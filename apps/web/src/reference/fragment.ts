import { operationLinks } from './links';

/**
 * Opens the page of the operation in the fragment when this page does not contain it: `/docs#createOrder`. Also
 * supports older links such as `/docs#/Orders/createOrder`, from before each group had a page.
 */
export function followFragment(): void {
  const [name = '', isGroup] = nameOf(location.hash);
  if (isGroup) {
    const heading = [...document.querySelectorAll<HTMLAnchorElement>('h2 a')].find(
      (link) => link.textContent === name,
    );
    if (heading) location.replace(heading.href);
    return;
  }
  const isHere = document.getElementById(name)?.classList.contains('operation');
  const link = isHere ? undefined : operationLinks().find(({ hash }) => hash === `#${name}`);
  if (link) location.replace(link.href);
}

function nameOf(hash: string): [name: string, isGroup: boolean] {
  const words = hash.slice(1).split('/').filter(Boolean);
  const isGroup = hash.startsWith('#/') && words.length === 1;
  try {
    return [decodeURIComponent(words.at(-1) ?? ''), isGroup];
  } catch {
    return ['', false];
  }
}
