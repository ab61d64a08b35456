// Opens checkout pages of separate payments at the same time, in one real browser.
import { setTimeout as sleep } from 'node:timers/promises';
import { Contract, JsonRpcProvider, MaxUint256, Wallet } from 'ethers';
import { chromium } from 'playwright-core';
import { runSandbox } from '../../local/run-sandbox.mjs';
import { ensurePrograms } from '../../local/server-programs.mjs';
import { sendOnce } from '../http-load.mjs';
import { residentMb } from '../idle-figures.mjs';
import { measureReference } from './reference.mjs';
import { measureVisits, newRequest, phone } from './visits.mjs';

const openedAtOnce = 4;
const showsWithinMs = 60_000;
// In each context, a browser has six HTTP/1.1 connections to a host: one for each stream, and the rest for requests.
const pagesOfContext = 4;
const flags = [
  '--headless=new',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  // A process for each page would use all memory and most of the time.
  '--renderer-process-limit=8',
];
const usdcOnBase = { from_token: 'USDC', from_chain: 'eip155:8453' };

/**
 * @param {{ directory: string, pages: number, print: (line: string) => void }} options
 * @returns {Promise<{ pages: number, openedS: number, gatewayMb: number, medianMs: number, lastMs: number, faults: string[],
 *   reference: Awaited<ReturnType<typeof measureReference>>, visits: Awaited<ReturnType<typeof measureVisits>> }>}
 * `medianMs` and `lastMs` are the times from a payment's transaction until its page shows the payment; `faults` are
 * errors on the consoles of the pages
 */
export async function measurePages({ directory, pages, print }) {
  const environment = {
    GATEWAY_MAX_EVENT_STREAMS_PER_ADDRESS: String(pages),
    GATEWAY_MAX_CONNECTIONS_PER_ADDRESS: '0',
  };
  const [executablePath] = await ensurePrograms(['chromium'], print);
  const { state, stop } = await runSandbox({ directory, environment });
  const browser = await chromium.launch({ executablePath, args: flags });
  try {
    print('opening the API reference …');
    const reference = await measureReference(browser, state.gateway);
    const shop = await openShop(state.gateway);
    print('visiting the checkout page and the dashboard …');
    const visits = await measureVisits(browser, shop);
    const newPage = pagesOf(browser);
    const faults = [];
    const startMs = performance.now();
    print(`opening ${pages} checkout pages …`);
    const opened = await each(pages, () => openPage(newPage, shop, faults));
    const openedS = (performance.now() - startMs) / 1_000;
    const gatewayMb = residentMb({ gateway: state.pids.gateway }).gateway;
    print(`paying ${pages} payments …`);
    const times = (await pay(opened, shop)).toSorted((a, b) => a - b);
    shop.provider.destroy();
    const [medianMs, lastMs] = [times[times.length >> 1], times.at(-1)];
    return { pages, openedS, gatewayMb, medianMs, lastMs, faults, reference, visits };
  } finally {
    await browser.close();
    await stop();
  }
}

async function openShop(gateway) {
  const sandbox = JSON.parse(await sendOnce(gateway, { path: '/sandbox' }));
  const [{ rpcUrl, chainId, payContract, tokens }] = sandbox.chains;
  const provider = new JsonRpcProvider(rpcUrl, chainId, {
    staticNetwork: true,
    cacheTimeout: -1,
    pollingInterval: 50,
  });
  const payer = new Wallet(sandbox.accounts.find(({ role }) => role === 'payer').privateKey, provider);
  const usdc = tokens.find(({ symbol }) => symbol === 'USDC').address;
  const token = new Contract(usdc, ['function approve(address, uint256)'], payer);
  await (await token.approve(payContract, MaxUint256)).wait();
  return { gateway, provider, payer, key: sandbox.merchant.secret };
}

/** Creates a payment request, chooses an option of it, and opens its page in the browser. */
async function openPage(newPage, shop, faults) {
  const request = await newRequest(shop);
  const chosen = await choose(`${request.url}/pay`);
  const url = new URL(chosen.headers.get('location'), shop.gateway);
  const page = await newPage();
  page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
  page.on('pageerror', (error) => faults.push(String(error)));
  await page.goto(url.href);
  await page.getByText('Waiting for your payment').waitFor();
  return { page, payment: url.pathname.split('/').at(-1) };
}

/** @returns a function that opens an empty page, in a new context when the current one is full */
function pagesOf(browser) {
  let opened = 0;
  let context;
  return async () => {
    if (opened++ % pagesOfContext === 0) context = browser.newContext(phone);
    return (await context).newPage();
  };
}

/**
 * Retries while the gateway cannot count requests (503), because browser and servers share the machine.
 */
async function choose(url) {
  for (;;) {
    const reply = await fetch(url, {
      method: 'POST',
      body: new URLSearchParams(usdcOnBase),
      redirect: 'manual',
    });
    if (reply.status === 303) return reply;
    if (reply.status !== 503) throw new Error(`no option was chosen: ${reply.status} ${await reply.text()}`);
    await sleep(1_000);
  }
}

/**
 * Pays all payments sequentially, in the order of nonces.
 * @returns milliseconds until each page shows its payment
 */
async function pay(opened, { gateway, provider, payer }) {
  let nonce = await provider.getTransactionCount(payer.address);
  const shown = [];
  for (const { page, payment } of opened) {
    const status = JSON.parse(await sendOnce(gateway, { path: `/api/v1/payment/${payment}/status` }));
    const { to, data, value } = status.instructions.pay;
    const sentMs = performance.now();
    await payer.sendTransaction({ to, data, value, nonce: nonce++, gasLimit: 400_000 });
    const waiting = page.getByText('Paid.').waitFor({ timeout: showsWithinMs });
    shown.push(waiting.then(() => performance.now() - sentMs));
  }
  return Promise.all(shown);
}

/** Opens a few pages at a time, because a browser that opens hundreds of pages together shows none in time. */
async function each(count, make) {
  const made = [];
  let left = count;
  const worker = async () => {
    while (left-- > 0) made.push(await make());
  };
  await Promise.all(Array.from({ length: openedAtOnce }, worker));
  return made;
}
