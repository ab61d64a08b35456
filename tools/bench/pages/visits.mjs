// First paints, and the time from the choice of an option to its page, beside the same bytes from a bare server.
import { createServer } from 'node:http';
import { sendOnce } from '../http-load.mjs';
import { paymentRequest } from '../order-rows.mjs';
import { percentile } from '../series.mjs';

const rounds = 20;
export const phone = { viewport: { width: 390, height: 844 } };

/**
 * @param {import('playwright-core').Browser} browser
 * @param {{ gateway: string, key: string }} shop
 * @returns {Promise<{ name: string, p50: number, p95: number }[]>} milliseconds
 */
export async function measureVisits(browser, shop) {
  const pages = {
    'the checkout page': (await newRequest(shop)).url,
    'the dashboard': `${shop.gateway}/dashboard`,
  };
  const copies = [];
  const paints = [];
  for (const [name, url] of Object.entries(pages)) {
    const copy = await bareCopy(browser, url);
    copies.push(copy);
    paints.push({ name: `first paint of ${name}`, url, times: [] });
    paints.push({ name: 'first paint of the same bytes from a bare server', url: copy.url, times: [] });
  }
  const choices = [];
  try {
    // The first round is a warm-up.
    for (let round = 0; round <= rounds; round++) {
      for (const { url, times } of paints) {
        const ms = await firstPaintMs(browser, url);
        if (round > 0) times.push(ms);
      }
      const choiceMs = await choose(browser, shop);
      if (round > 0) choices.push(choiceMs);
    }
  } finally {
    for (const copy of copies) copy.close();
  }
  return [
    ...paints.map(({ name, times }) => row(name, times)),
    row('from the choice of an option to its page', choices),
  ];
}

/** @param {string} name @param {number[]} times */
function row(name, times) {
  const sorted = times.toSorted((a, b) => a - b);
  return { name, p50: percentile(sorted, 0.5), p95: percentile(sorted, 0.95) };
}

/** Creates a payment request. @returns {Promise<{ id: string, url: string }>} its id, and the URL of its page */
export async function newRequest({ gateway, key }) {
  const { id } = JSON.parse(await sendOnce(gateway, paymentRequest({ caip2: 'base' }), key));
  return { id, url: `${gateway}/checkout/${id}` };
}

/** Opens a page in a new context, which has no cache, as at a first visit. */
async function visit(browser, url) {
  const context = await browser.newContext(phone);
  const page = await context.newPage();
  await page.goto(url);
  return { page, close: () => context.close() };
}

/** @returns {Promise<number>} milliseconds from the request of a page to its first paint of content */
async function firstPaintMs(browser, url) {
  const { page, close } = await visit(browser, url);
  const paint = await page.evaluate(
    () =>
      new Promise((resolve) => {
        const seen = (list) => {
          const found = list.getEntriesByName('first-contentful-paint')[0];
          if (found) resolve(found.startTime);
        };
        new PerformanceObserver(seen).observe({ type: 'paint', buffered: true });
      }),
  );
  await close();
  return paint;
}

/** @returns {Promise<number>} milliseconds from the click on an option to the frame that shows the payment */
async function choose(browser, shop) {
  const { page, close } = await visit(browser, (await newRequest(shop)).url);
  // As a payer, who reads before the click. The script of the page is loaded by then.
  await page.waitForLoadState('networkidle');
  const clickedMs = performance.now();
  await page.locator('form.option button').first().click({ noWaitAfter: true });
  await page.getByText('Waiting for your payment').waitFor();
  const choiceMs = performance.now() - clickedMs;
  await close();
  return choiceMs;
}

/** Serves the bytes of a page and of its files from memory. */
async function bareCopy(browser, url) {
  const copies = new Map();
  const context = await browser.newContext(phone);
  const page = await context.newPage();
  page.on('response', async (response) => {
    const { pathname } = new URL(response.url());
    const { 'content-type': type, 'content-security-policy': policy } = response.headers();
    const body = await response.body().catch(() => undefined);
    if (body) copies.set(pathname, { type, policy, body });
  });
  await page.goto(url);
  await page.waitForLoadState('networkidle');
  await context.close();
  const server = createServer((request, reply) => {
    const copy = copies.get(new URL(request.url, url).pathname);
    if (!copy) return reply.writeHead(404).end();
    const { type, policy, body } = copy;
    reply.writeHead(200, { 'content-type': type, ...(policy && { 'content-security-policy': policy }) });
    return reply.end(body);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${server.address().port}`;
  return { url: origin + new URL(url).pathname, close: () => server.close() };
}
