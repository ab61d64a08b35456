import { enableCopying } from './copy';
import { countDown } from './countdown';
import { notifyEmbedder } from './embedding';
import { follow } from './live';
import { isPassing, pageData } from './page';
import { Payer } from './payer';
import { later } from './wallets/wallet';

const pollMs = 3_000;

document.documentElement.dataset['script'] = 'on';
enableCopying();
if (pageData()?.kind === 'unavailable') void reloadWhenAvailable();
else if (pageData()) {
  notifyEmbedder();
  countDown();
  follow();
  new Payer().start();
  // The URL identifies the state, so the back button must show the earlier one.
  window.addEventListener('popstate', () => location.reload());
}

/**
 * Requests a page that the server could not render before. Replaces the whole page, because it may have another style
 * and policy.
 */
async function reloadWhenAvailable(): Promise<void> {
  for (;;) {
    await later(pollMs);
    if (document.visibilityState !== 'visible') continue;
    const reply = await fetch(location.href, { headers: { accept: 'text/html' } }).catch(() => undefined);
    if (reply && !isPassing(reply.status)) return location.reload();
  }
}
