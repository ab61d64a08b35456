import type { Browser } from 'playwright-core';
import { openChromium } from './browser';
import { checkoutCases } from './checkout.cases';
import { RemoteServers } from './checkout/remote.cases';
import { Harness, oneProcess, startTimeoutMs } from './harness';
import { Api } from './http';
import { looksCases } from './looks.cases';
import { referenceCases } from './reference.cases';
import { sdkInBrowserCases } from './sdk-in-browser.cases';

// The pages of payers and visitors, in a real browser. The dashboard is in merchant.e2e.spec.ts, beside its API.

let harness: Harness;
let api: Api;
let browser: Browser;
let remote: RemoteServers;

beforeAll(async () => {
  remote = await RemoteServers.open();
  browser = await openChromium();
  harness = await Harness.start({ ...remote.settings, SANDBOX_NETWORKS: 'ton,solana,tron,sui' }, oneProcess);
  api = await Api.at(harness.gateway);
}, startTimeoutMs);

afterAll(async () => {
  await browser?.close();
  remote?.close();
  await harness?.remove();
});

checkoutCases(() => ({ api, browser, remote }));
looksCases(() => ({ api, browser }));
referenceCases(() => ({ api, browser }));
sdkInBrowserCases(() => ({ url: harness.gateway, browser }));
