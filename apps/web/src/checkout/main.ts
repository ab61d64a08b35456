import { enableCopying } from './copy';
import { countDown } from './countdown';
import { notifyEmbedder } from './embedding';
import { follow } from './live';
import { pageData } from './page';
import { Payer } from './payer';

document.documentElement.dataset['script'] = 'on';
enableCopying();
if (pageData()) {
  notifyEmbedder();
  countDown();
  follow();
  new Payer().start();
  // The address names the state, so the back button shows the earlier one.
  window.addEventListener('popstate', () => location.reload());
}
