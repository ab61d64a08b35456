import { gzipSync } from 'node:zlib';
import { WebFiles } from './web-files';

// More would delay the first option on a slow phone. The code that prevents payments in a second tab is 1.2 kB of it.
const checkoutBudget = 13.5 * 1_024;
const styleBudget = 4 * 1_024;

describe('the build of apps/web', () => {
  const files = new WebFiles();
  const sizeOf = (paths: readonly string[]) =>
    paths.reduce((sum, path) => sum + gzipSync(files.find(path.replace('/assets/', ''))!.body).length, 0);

  it('loads at most 13.5 kB of the checkout script before an option is usable', () => {
    const { file, imports } = files.entry('checkout');
    expect(sizeOf([file])).toBeGreaterThan(1_000);
    expect(sizeOf([file, ...imports])).toBeLessThan(checkoutBudget);
  });

  it('adds at most 4 kB of style to each page', () => {
    expect(gzipSync(files.pageStyle()).length).toBeLessThan(styleBudget);
  });
});
