// Measures a page as a phone on slow 4G loads it, and prints the figures as JSON: node e2e/lighthouse.mjs CHROMIUM URL
// Lighthouse is an ES module, which the tests cannot load: they run this file.
import lighthouse from 'lighthouse';
import { createServer } from 'node:net';
import { chromium } from 'playwright-core';

const [executablePath, url] = process.argv.slice(2);
const port = await freePort();
const browser = await chromium.launch({
  executablePath,
  args: ['--headless=new', '--no-sandbox', '--disable-gpu', `--remote-debugging-port=${port}`],
});
try {
  // Its standard settings of a phone: 150 ms round trip, 1.6 Mbit/s, a processor four times slower than this one.
  const run = await lighthouse(url, { port, onlyCategories: ['performance'], logLevel: 'error' });
  const { audits, runtimeError } = run.lhr;
  if (runtimeError) throw new Error(runtimeError.message);
  const items = audits['network-requests'].details.items;
  const figures = {
    largestPaintMs: audits['largest-contentful-paint'].numericValue,
    shift: audits['cumulative-layout-shift'].numericValue,
    blockedMs: audits['total-blocking-time'].numericValue,
    scriptBytes: bytesOf(items.filter(({ resourceType }) => resourceType === 'Script')),
    bytes: bytesOf(items),
  };
  process.stdout.write(JSON.stringify(figures));
} finally {
  await browser.close();
}

function bytesOf(items) {
  return items.reduce((sum, { transferSize }) => sum + transferSize, 0);
}

async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port: free } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return free;
}
