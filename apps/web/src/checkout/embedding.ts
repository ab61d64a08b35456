import { onRendered, pageData } from './page';

/** The page that embeds this one. `embed.js` states its origin, and the merchant must allow it. */
interface Embedder {
  window: Window;
  origin: string;
}

const namePrefix = 'tollbridge ';

/** Sends messages to the shop's page: states, height, and that the payer wants to return to the shop. */
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

/** Undefined when no page of an allowed origin embeds this one. Messages have its exact origin as their target. */
function findEmbedder(): Embedder | undefined {
  const origins = pageData()?.embed?.origins ?? [];
  const origin = window.name.startsWith(namePrefix) ? window.name.slice(namePrefix.length) : '';
  const shower: Window | null = window.parent === window ? window.opener : window.parent;
  return shower && origins.includes(origin) ? { window: shower, origin } : undefined;
}

/** Notifies the shop's page, which is already open and decides what to show next. */
function returnToShop(event: MouseEvent, notify: (event: object) => void): void {
  const link = (event.target as Element).closest<HTMLAnchorElement>('a[data-return]');
  if (!link) return;
  event.preventDefault();
  notify({ ...pageData()?.embed?.state, type: 'closed', reason: link.dataset['return'], url: link.href });
}
