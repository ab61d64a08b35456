import { onRendered, pageData } from './page';

/** The page that shows this one, as `embed.js` named it, where the merchant allows it. */
interface Embedder {
  window: Window;
  origin: string;
}

const namePrefix = 'tollbridge ';

/** Reports to the shop's page what happens here: states, height, and that the payer wants to return to the shop. */
export function notifyEmbedder(): void {
  const embedder = findEmbedder();
  if (!embedder) return;
  const notify = (event: object): void =>
    embedder.window.postMessage({ tollbridge: 1, event }, embedder.origin);
  const notifyState = (): void => {
    const state = pageData()?.embed?.state;
    if (state) notify(state);
  };
  notifyState();
  onRendered(notifyState);
  new ResizeObserver(() => notify({ type: 'resized', height: document.body.offsetHeight })).observe(
    document.body,
  );
  document.addEventListener('click', (event) => returnToShop(event, notify));
}

/** Undefined where no page of an allowed origin shows this one. Messages have its exact origin as their target. */
function findEmbedder(): Embedder | undefined {
  const origins = pageData()?.embed?.origins ?? [];
  const origin = window.name.startsWith(namePrefix) ? window.name.slice(namePrefix.length) : '';
  const shower: Window | null = window.parent === window ? window.opener : window.parent;
  return shower && origins.includes(origin) ? { window: shower, origin } : undefined;
}

/** The shop's page is there already: it decides what it shows next. */
function returnToShop(event: MouseEvent, notify: (event: object) => void): void {
  const link = (event.target as Element).closest<HTMLAnchorElement>('a[data-return]');
  if (!link) return;
  event.preventDefault();
  notify({ ...pageData()?.embed?.state, type: 'closed', reason: link.dataset['return'], url: link.href });
}
