import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pixelmatch from 'pixelmatch';
import type { Page } from 'playwright-core';
import { PNG } from 'pngjs';
import { eventually } from '@tollbridge/testing';
import { repository } from './harness';

/** What the pages looked like when they were last approved, at half of their size. */
const approved = join(repository, 'e2e/screenshots');
/** What they look like in this run, in full size; differences are marked in `NAME.difference.png`. */
const taken = join(repository, '.tollbridge/screenshots');

// Letters are drawn slightly differently by another version of the browser or its fonts, and prices change the order of
// options.
const [colourTolerance, differingShare, heightShare] = [0.2, 0.05, 0.03];

const tallest = 2_000;

const settleMs = 10_000;

// Ids, addresses, times and amounts differ in each run: their letters and digits are replaced by others of equal width.
// Pages update themselves, also while the image is taken: what an update writes is replaced before it is drawn.
const replaceChanging = `(() => {
  const plain = (text) => text.replace(/[\\w-]{20,}/g, 'x'.repeat(24)).replace(/\\d/g, '0').replace(/0{5,}/g, '00000');
  const [textsBefore, codesBefore] = [new Map(), new Map()];
  const replace = () => {
    for (const code of document.querySelectorAll('svg.qr')) {
      if (code.innerHTML === '') continue;
      codesBefore.set(code, code.innerHTML);
      code.innerHTML = '';
    }
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let text = texts.nextNode(); text; text = texts.nextNode()) {
      if (text.data === plain(text.data)) continue;
      textsBefore.set(text, text.data);
      text.data = plain(text.data);
    }
  };
  replace();
  const observer = new MutationObserver(replace);
  observer.observe(document.body, { subtree: true, childList: true, characterData: true });
  window.restoreChanging = () => {
    observer.disconnect();
    for (const [text, data] of textsBefore) text.data = data;
    for (const [code, content] of codesBefore) code.innerHTML = content;
  };
})()`;
const restoreChanging = 'window.restoreChanging()';
const changingParts = 'canvas, time';

/**
 * Expects a page to look as approved, but for small differences. After a wanted change, `UPDATE_SCREENSHOTS=1` approves
 * what the pages look like: look at each image of `e2e/screenshots` before it is committed.
 */
export async function expectLooksApproved(page: Page, name: string): Promise<void> {
  const file = join(approved, `${name}.png`);
  if (process.env['UPDATE_SCREENSHOTS']) {
    mkdirSync(approved, { recursive: true });
    writeFileSync(file, PNG.sync.write(await capture(page, name), { deflateLevel: 9 }));
  }
  if (!existsSync(file))
    throw new Error(`No screenshot ${name} is approved: run this test with UPDATE_SCREENSHOTS=1`);
  const before = PNG.sync.read(readFileSync(file));
  // A page that still reads a price or a balance looks as approved when it has it.
  await eventually(
    async () => {
      const now = await capture(page, name);
      expect([name, now.width]).toEqual([name, before.width]);
      expect(Math.abs(now.height - before.height)).toBeLessThanOrEqual(before.height * heightShare);
      expect([name, differenceOf(now, before, name)]).toEqual([name, 'small']);
    },
    { timeoutMs: settleMs },
  );
}

/** The page as it is now, at half of its size. */
async function capture(page: Page, name: string): Promise<PNG> {
  await page.evaluate(replaceChanging);
  const image = await page.screenshot({
    fullPage: true,
    animations: 'disabled',
    caret: 'hide',
    mask: [page.locator(changingParts)],
    maskColor: '#888888',
  });
  await page.evaluate(restoreChanging);
  mkdirSync(taken, { recursive: true });
  writeFileSync(join(taken, `${name}.png`), image);
  return halved(PNG.sync.read(image));
}

/** `small`, or which share of the pixels differs; an image of the differences is kept. */
function differenceOf(now: PNG, before: PNG, name: string): string {
  const height = Math.min(now.height, before.height);
  const { width } = now;
  const difference = new PNG({ width, height });
  const [one, other] = [now, before].map(({ data }) => data.subarray(0, width * height * 4));
  const count = pixelmatch(one!, other!, difference.data, width, height, { threshold: colourTolerance });
  if (count <= width * height * differingShare) return 'small';
  writeFileSync(join(taken, `${name}.difference.png`), PNG.sync.write(difference));
  return `${((100 * count) / (width * height)).toFixed(1)} % of the pixels`;
}

/** Each pixel is the mean of four. The end of a long list is left out. */
function halved({ width, height, data }: PNG): PNG {
  const half = new PNG({ width: width >> 1, height: Math.min(height, tallest) >> 1 });
  for (let y = 0; y < half.height; y++)
    for (let x = 0; x < half.width; x++)
      for (let channel = 0; channel < 4; channel++) {
        const at = (2 * y * width + 2 * x) * 4 + channel;
        const sum = data[at]! + data[at + 4]! + data[at + width * 4]! + data[at + width * 4 + 4]!;
        half.data[(y * half.width + x) * 4 + channel] = sum >> 2;
      }
  return half;
}
