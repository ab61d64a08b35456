import { operationLinks } from './links';

/**
 * Opens the page of the operation that the fragment names, where this page does not have it: `/docs#createOrder`, and
 * `/docs#/Orders/createOrder` of links that were made before each group had a page.
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
