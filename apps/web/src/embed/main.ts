import { CheckoutView } from './checkout-view';
import type { EmbedEvent } from './frame-events';

interface OpenOptions {
  /** The URL of a checkout or PayLink page of this server. */
  url?: string;
  /** The id of a payment request, instead of the URL. */
  paymentRequest?: string;
  /** The id of a PayLink, instead of the URL. */
  paylink?: string;
  mode?: 'iframe' | 'popup';
  onEvent?: (event: EmbedEvent) => void;
  onClose?: () => void;
}

// Available only while the script runs for the first time.
const { origin } = new URL((document.currentScript as HTMLScriptElement).src);

/** The page to show. Throws for a URL that is not a checkout of this server. */
function pageOf({ url, paymentRequest, paylink }: OpenOptions): URL {
  const id = encodeURIComponent(paymentRequest ?? paylink ?? '');
  const page = new URL(url ?? `/${paymentRequest === undefined ? 'l' : 'checkout'}/${id}`, origin);
  if (page.origin === origin && /^\/(checkout|l)\/[^/]+/.test(page.pathname)) return page;
  throw new Error(`Tollbridge: ${page.href} is not a checkout or PayLink page of ${origin}`);
}

/**
 * Shows a checkout over this page, or in a window. Call it in the handler of a click, because browsers block other
 * windows.
 */
function open(options: OpenOptions): { close(): void } {
  const { mode = 'iframe', onEvent, onClose } = options;
  const view = new CheckoutView({ page: pageOf(options), mode, onEvent, onClose });
  return { close: () => view.close() };
}

/**
 * `<a data-tollbridge href="…">` opens its page over the shop's page, and with `data-tollbridge="popup"` in a window.
 */
document.addEventListener('click', (event) => {
  const link = (event.target as Element).closest?.<HTMLAnchorElement>('a[data-tollbridge]');
  // With a modifier key, the payer requests a tab or a window.
  if (!link || event.defaultPrevented || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const mode = link.dataset['tollbridge'] === 'popup' ? 'popup' : 'iframe';
  open({
    url: link.href,
    mode,
    onEvent: (detail) => link.dispatchEvent(new CustomEvent('tollbridge', { detail, bubbles: true })),
  });
  event.preventDefault();
});

Object.assign(window, { Tollbridge: { open } });
