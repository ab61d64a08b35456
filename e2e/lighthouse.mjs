// Measures a page as a phone on slow 4G loads it, and prints the figures as JSON: node e2e/lighthouse.mjs CHROMIUM URL
// Lighthouse is an ES module, which the tests cannot load: they run this file.
import lighthouse from 'lighthouse';
import { createServer } from 'node:net';
import { chromium } from 'playwright-core';

// Lighthouse's index of a processor: that of a mid-range phone (its docs/throttling.md).
const phoneIndex = 400;

const [executablePath, url] = process.argv.slice(2);
const port = await freePort();
const browser = await chromium.launch({
  executablePath,
  args: ['--headless=new', '--no-sandbox', '--disable-gpu', `--remote-debugging-port=${port}`],
});
try {
  // The first load shows how fast this machine is at present, with what else it does.
  const { environment } = await load(1);
  const { audits } = await load(Math.max(1, environment.benchmarkIndex / phoneIndex));
  const items = audits['network-requests'].details.items;
  const figures = {
    largestPaintMs: audits['largest-contentful-paint'].numericValue,
    shift: audits['cumulative-layout-shift'].numericValue,
    blockedMs: audits['total-blocking-time'].numericValue,
    scriptBytes: bytesOf(items.filter(({ resourceType }) => resourceType === 'Script')),
    bytes: bytesOf(items),
    benchmarkIndex: environment.benchmarkIndex,
  };
  process.stdout.write(JSON.stringify(figures));
} finally {
  await browser.close();
}

/** Loads the page over slow 4G: 150 ms round trip, 1.6 Mbit/s. @param {number} slowdown of this processor */
async function load(slowdown, tries = 5) {
  const throttling = { rttMs: 150, throughputKbps: 1_638.4, cpuSlowdownMultiplier: slowdown };
  const { lhr } = await lighthouse(url, {
    port,
    onlyCategories: ['performance'],
    logLevel: 'error',
    throttling,
  });
  // The page gets a process of its own, and Lighthouse may miss its start then: nothing was measured.
  if (lhr.runtimeError?.code === 'NO_NAVSTART' && tries > 1) return load(slowdown, tries - 1);
  if (lhr.runtimeError) throw new Error(lhr.runtimeError.message);
  return lhr;
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
