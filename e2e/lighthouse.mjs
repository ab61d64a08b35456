// Measures the load of a page on a phone with slow 4G, and prints the figures as JSON.
//
// node e2e/lighthouse.mjs CHROMIUM URL [LOADS]
//
// `networkPaintMs` is the largest paint without processor time, so other work of this machine changes it little.
// `largestPaintMs` includes the processor time of a phone: the median of LOADS, default 1. Lighthouse is an ES module,
// which the tests cannot load: they run this file.
import lighthouse from 'lighthouse';
import { createServer } from 'node:net';
import { chromium } from 'playwright-core';

// Lighthouse's index of a mid-range phone's processor (its docs/throttling.md).
const phoneIndex = 400;
// Lighthouse multiplies the time of each task by this factor, and accepts no 0.
const noTime = 0.001;

const [executablePath, url, loads = '1'] = process.argv.slice(2);
const port = await freePort();
const browser = await chromium.launch({
  executablePath,
  args: ['--headless=new', '--no-sandbox', '--disable-gpu', `--remote-debugging-port=${port}`],
});
try {
  let { environment, audits } = await load(noTime);
  const networkPaintMs = paintOf(audits);
  const paintsMs = [];
  for (let done = 0; done < Number(loads); done++) {
    // The previous load shows the current speed of this machine.
    ({ environment, audits } = await load(Math.max(1, environment.benchmarkIndex / phoneIndex)));
    paintsMs.push(paintOf(audits));
  }
  const items = audits['network-requests'].details.items;
  const figures = {
    networkPaintMs,
    largestPaintMs: paintsMs.toSorted((a, b) => a - b)[paintsMs.length >> 1],
    paintsMs,
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

/**
 * Loads the page with slow 4G: 150 ms round trip, 1.6 Mbit/s.
 * @param {number} slowdown of this processor
 */
async function load(slowdown, tries = 5) {
  const throttling = { rttMs: 150, throughputKbps: 1_638.4, cpuSlowdownMultiplier: slowdown };
  const { lhr } = await lighthouse(url, {
    port,
    onlyCategories: ['performance'],
    logLevel: 'error',
    throttling,
  });
  // The page has its own process, and Lighthouse may miss its start: then nothing was measured.
  if (lhr.runtimeError?.code === 'NO_NAVSTART' && tries > 1) return load(slowdown, tries - 1);
  if (lhr.runtimeError) throw new Error(lhr.runtimeError.message);
  return lhr;
}

function paintOf(audits) {
  return audits['largest-contentful-paint'].numericValue;
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
