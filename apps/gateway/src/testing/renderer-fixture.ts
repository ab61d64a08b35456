import { PageRenderer } from '../pages/layout';
import type { WebFiles } from '../web/web-files';

/** Renders pages as the gateway does, without a build of `apps/web`. */
export function rendererFixture(): PageRenderer {
  const files: Pick<WebFiles, 'entry' | 'pageStyle'> = {
    pageStyle: () => 'body { margin: 0 }',
    entry: () => ({ file: '/assets/checkout-1a2b3c4d.js', imports: [], styles: [] }),
  };
  return new PageRenderer(files as WebFiles);
}
