import { median } from '../measure.mjs';

// Measures the time that the API reference needs to draw its operations, and to open one operation.
const rounds = 5;

/**
 * @param {import('playwright-core').Browser} browser @param {string} gateway its URL
 * @returns {Promise<{ documentKb: number, drawnMs: number, openedMs: number }>} the uncompressed size of the document,
 * and medians: from the request of the page to the list of all operations, and from a click to the page of one
 * operation
 */
export async function measureReference(browser, gateway) {
  const text = await (await fetch(`${gateway}/openapi.json`)).text();
  const operations = Object.values(JSON.parse(text).paths).flatMap((path) => Object.keys(path)).length;
  const [drawn, opened] = [[], []];
  for (let round = 0; round < rounds; round++) {
    // A new context has no cache, as at a first visit.
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
    const page = await context.newPage();
    const startMs = performance.now();
    await page.goto(`${gateway}/docs`);
    await page.waitForFunction(
      (count) => document.querySelectorAll('.routes li').length >= count,
      operations,
    );
    await nextFrame(page);
    drawn.push(performance.now() - startMs);
    const clickedMs = performance.now();
    await page.locator('#createOrder a').click();
    await page.locator('section#createOrder .failures').waitFor();
    await nextFrame(page);
    opened.push(performance.now() - clickedMs);
    await context.close();
  }
  return { documentKb: text.length / 1_000, drawnMs: median(drawn), openedMs: median(opened) };
}

const nextFrame = (page) =>
  page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done))));
