import { eventually } from '@tollbridge/testing';
import { Wallet } from 'ethers';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser } from 'playwright-core';
import { installWallet, openChromium } from './browser';
import { DashboardPage } from './dashboard-page';
import { hostileCases } from './hostile.cases';
import * as day from './merchants-day';
import type { Harness } from './harness';
import type { Api } from './http';
import * as money from './merchants-money';
import type { Payer } from './payer';
import { expectLooksApproved } from './screenshots';
import { signInCases } from './sign-in.cases';

export interface DashboardHarness {
  gateway: string;
  harness: Harness;
  api: Api;
  payer: Payer;
  /** Secrets that the page shows. No log may contain them. */
  secrets: string[];
}

const pages = [
  ['', 'Overview'],
  ['/transactions', 'Transactions'],
  ['/requests', 'Payment requests'],
  ['/paylinks', 'PayLinks'],
  ['/exceptions', 'Exceptions'],
  ['/nano', 'Nano-payments'],
  ['/ledger', 'Ledger'],
  ['/payouts', 'Payouts'],
  ['/services', 'Services'],
  ['/webhooks', 'Webhooks'],
  ['/keys', 'API keys'],
  ['/settings', 'Settings'],
] as const;
const phone = { viewport: { width: 390, height: 844 } };

let browser: Browser;
let on: DashboardPage;

/** A merchant's server that records the received requests. */
async function listen(): Promise<day.MerchantsServer & { server: Server; url: string }> {
  const received: string[] = [];
  let status = 200;
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      received.push(body);
      response.writeHead(status).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    server,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    answer: (next) => void (status = next),
  };
}

async function merchantsDay({ gateway, payer, secrets }: DashboardHarness): Promise<void> {
  const { server, url: hookUrl, received, answer } = await listen();
  const wallet = Wallet.createRandom();
  on = await DashboardPage.open(browser, gateway);
  await installWallet(on.page, wallet);
  await on.goto();
  await on.button('Sign in with Test Wallet (EVM)').click();
  await on.shows('No payments yet');
  const token = await on.sessionToken();
  secrets.push(token);

  await day.changeSettings(on, hookUrl);
  secrets.push(await day.createWebhookSecret(on));
  const link = await day.createPayLink(on);
  const txHash = await payer.transfer('USDC', wallet.address, 1_000_000n);
  await day.reportPayment(on, link, txHash);
  await on.page.getByRole('link', { name: 'Green tea' }).click();
  await on.page.getByText('Counted').waitFor();
  await on.visit('Overview');
  await on.page.getByText('$1.00').first().waitFor();

  const key = await day.createKey(on);
  secrets.push(key);
  const byKey = await fetch(`${gateway}/api/overview`, { headers: { 'x-api-key': key } });
  expect(await byKey.json()).toMatchObject({ totalPayments: 1 });
  await day.replayWebhook(on, received);
  await day.resumeWebhooks(on, { received, answer });

  await day.findTransaction(on, txHash);
  await day.cancelRequest(on);
  await lookAtPages();
  secrets.push(await day.rotateKey(on));
  await day.deletePayLink(on);

  await on.button('Sign out').click();
  await on.button('Sign in with Test Wallet (EVM)').waitFor();
  const headers = { authorization: `Bearer ${token}`, 'x-wallet': wallet.address };
  await eventually(async () =>
    expect((await fetch(`${gateway}/api/overview`, { headers })).status).toBe(401),
  );
  expect(on.faults).toEqual([]);
  server.close();
}

/** Compares screenshots of every page on a phone and a desktop, with the data of one day. */
async function lookAtPages(): Promise<void> {
  for (const [path, title] of pages) {
    await on.goto(path);
    await on.loaded(title);
    for (const [size, width] of [
      ['phone', 390],
      ['desktop', 1_280],
    ] as const) {
      await on.page.setViewportSize({ width, height: 844 });
      await expectLooksApproved(on.page, `dashboard-${path.slice(1) || 'overview'}-${size}`);
    }
  }
}

/** Checks every page on a phone: it fits, and axe finds no violation. */
async function checkPages(gateway: string, colorScheme: 'light' | 'dark'): Promise<void> {
  on = await DashboardPage.open(browser, gateway, { ...phone, colorScheme });
  await on.goto();
  await on.button('Sign in as the demo merchant').waitFor();
  expect(await on.violations()).toEqual([]);
  await on.signInAsDemo();
  for (const [path, title] of pages) {
    await on.goto(path);
    await on.loaded(title);
    const fits = await on.page.evaluate('document.documentElement.scrollWidth <= window.innerWidth');
    expect([title, fits, await on.violations()]).toEqual([title, true, []]);
  }
  expect(on.faults).toEqual([]);
}

/** Closes an underpaid PayLink in one of two tabs that show it. */
async function closeException({ gateway, payer, secrets }: DashboardHarness): Promise<void> {
  const wallet = Wallet.createRandom();
  on = await DashboardPage.open(browser, gateway);
  await installWallet(on.page, wallet);
  await on.goto();
  await on.button('Sign in with Test Wallet (EVM)').click();
  await on.shows('No payments yet');
  secrets.push(await on.sessionToken());
  const link = await day.createPayLink(on);
  const txHash = await payer.transfer('USDC', wallet.address, 500_000n);
  const body = JSON.stringify({ txHash });
  const headers = { 'content-type': 'application/json' };
  await fetch(`${gateway}/api/paylinks/${link.split('/').at(-1)}/pay`, { method: 'POST', headers, body });
  await on.goto('/exceptions');
  await on.shows('0.5 USDC');
  const other = await on.context.newPage();
  await other.goto(`${gateway}/dashboard/exceptions`);
  const calls: string[] = [];
  for (const page of [on.page, other]) {
    page.on('request', (request) => {
      if (request.url().endsWith('/resolve')) calls.push(request.method());
    });
    await page.getByRole('button', { name: 'Close exception' }).click();
  }
  await on.inDialog('Close exception').dblclick();
  for (const page of [on.page, other]) {
    await page.getByText('Closed by you').waitFor();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  }
  expect(calls).toEqual(['POST']);
  await on.goto('/exceptions?status=open');
  await on.shows('No exception has this state');
  expect(on.faults).toEqual([]);
}

async function decideAboutMoney(given: DashboardHarness): Promise<void> {
  const treasury = await money.fundedWallet(given.payer);
  await money.submitPayouts(given, treasury);
  on = await DashboardPage.open(browser, given.gateway);
  await installWallet(on.page, treasury);
  await on.goto();
  await on.button('Sign in with Test Wallet (EVM)').click();
  await on.heading('Overview').waitFor();
  given.secrets.push(await on.sessionToken());
  await money.decidePayouts(on);
  await money.decideNanoPayments(on, given);
  await on.visit('Services');
  await on.page.getByLabel('Search').fill('gift card');
  await on.page.getByText('Order a gift card').waitFor();
  expect(on.faults).toEqual([]);
}

/** Checks that menu and dialogs trap the focus, close with Escape, and restore the focus. */
async function checkKeyboard(gateway: string): Promise<void> {
  on = await DashboardPage.open(browser, gateway, phone);
  const { page, dialog } = on;
  await on.signInAsDemo();
  await on.button('Menu').focus();
  await page.keyboard.press('Enter');
  await dialog.getByRole('link', { name: 'PayLinks' }).focus();
  await page.keyboard.press('Enter');
  await on.heading('PayLinks').waitFor();
  await on.button('Menu').focus();
  await page.keyboard.press('Enter');
  await dialog.waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  const focused = 'document.activeElement.textContent';
  await eventually(async () => expect(await page.evaluate(focused)).toBe('Menu'));
  await on.button('Create a PayLink').first().focus();
  await page.keyboard.press('Enter');
  await dialog.getByLabel('Name').waitFor();
  const isInside = "document.querySelector('[role=dialog]').contains(document.activeElement)";
  for (let step = 0; step < 15; step++) {
    await page.keyboard.press('Tab');
    await eventually(async () => expect(await page.evaluate(isInside)).toBe(true));
  }
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await eventually(async () => expect(await page.evaluate(focused)).toBe('Create a PayLink'));
}

/** The dashboard in a real browser. */
export function dashboardCases(harness: () => DashboardHarness): void {
  beforeAll(async () => {
    browser = await openChromium();
    // Chromium is installed first on a new machine.
  });
  afterAll(() => browser?.close());
  afterEach(() => on?.context.close());

  it('leads a merchant through the day: sign-in, settings, PayLink, payment, key, webhook, sign-out', async () => {
    await merchantsDay(harness());
  }, 480_000);

  it('signs in the demo merchant with one click, and shows a payment with its timeline', async () => {
    const { gateway, api, payer, secrets } = harness();
    const { body: created } = await payer.createOrder();
    const hash = await payer.pay(created);
    await api.post(`/api/v1/pay/order/${created.order_id}/tx`, { tx_hash: hash });
    on = await DashboardPage.open(browser, gateway);
    await on.signInAsDemo();
    secrets.push(await on.sessionToken());
    await on.visit('Transactions');
    const found = on.page.getByRole('link', { name: 'Order of demo-merchant' });
    await found.first().waitFor();
    await on.page.getByLabel('Search').fill(created.order_id);
    // Before the search result arrives, the list has all transactions.
    await on.page.waitForURL(/\?q=/);
    await eventually(async () => expect(await found.count()).toBe(1));
    // A delayed search must not leave the page of the transaction, however late it starts.
    await on.page.route(/transaction-details.*\.js$/, async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 800));
      await route.continue();
    });
    await on.page.getByLabel('Search').fill('demo-merchant');
    await found.first().click();
    await on.shows('Payment seen on the chain');
    await on.page.waitForTimeout(500);
    expect(new URL(on.page.url()).pathname).toMatch(/\/transactions\/./);
    // Settled, or before it: another test measures the time.
    await on.shows(/^After |of \d+ confirmations$/);
    expect(on.faults).toEqual([]);
  });

  it('closes an exception once after a double click, and shows that in a second tab', async () => {
    await closeException(harness());
  });

  it('approves or rejects payouts with the wallet, and nano-payments with a key', async () => {
    await decideAboutMoney(harness());
  });

  it.each(['light', 'dark'] as const)(
    'shows pages that fit a phone, without violations of WCAG 2.2 AA, %s',
    (colorScheme) => checkPages(harness().gateway, colorScheme),
    480_000,
  );

  signInCases(() => ({ ...harness(), browser }));
  hostileCases(() => ({ ...harness(), browser }));

  it('supports the keyboard: menu and dialogs trap the focus, and restore it', async () => {
    await checkKeyboard(harness().gateway);
  });
}
