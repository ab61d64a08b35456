import { eventually } from '@tollbridge/testing';
import type { Browser, Page } from 'playwright-core';
import type { Api } from '../http';
import { accessibilityProblems } from '../browser';
import { expectLooksApproved } from '../screenshots';
import { PayerPage } from './browser';
import type { EvmWallet } from './evm-wallet';

interface Given {
  api: Api;
  browser: Browser;
  wallet(): Promise<EvmWallet>;
}

const sizes = [
  ['desktop', 1_280],
  ['phone', 390],
] as const;
const usdcOnBase = '.option[data-token="USDC"][data-chain="eip155:8453"] button';
const checkoutPath = /\/checkout\/[\w-]{36}$/;

/** A PayLink of the demo merchant for 1.25 USDC, and a payer with a wallet in each tab. */
class Visit {
  private constructor(
    private readonly given: Given,
    readonly id: string,
    readonly wallet: EvmWallet,
    readonly payer: PayerPage,
  ) {}

  static async start(given: Given, terms: Record<string, unknown> = {}) {
    const { api, browser } = given;
    const { merchant } = (await api.get('/sandbox')).body;
    const place = { token: 'USDC', network: 'eip155:8453', receiveAddress: merchant.wallet };
    const named = { name: 'Tea', description: 'Green', amount: '1250000', ...place, ...terms };
    const { status, body } = await api.post('/api/paylinks', named);
    expect([status, body.message]).toEqual([200, undefined]);
    const payer = await PayerPage.open(browser, api.url);
    const visit = new Visit(given, body.id, await given.wallet(), payer);
    await visit.wallet.install(payer.page);
    await payer.page.goto(visit.url);
    return visit;
  }

  get url(): string {
    return `${this.given.api.url}/l/${this.id}`;
  }

  /** Another tab of the same browser, on the page of the PayLink. */
  async openTab(): Promise<Page> {
    const tab = await this.payer.page.context().newPage();
    await this.wallet.install(tab);
    await tab.goto(this.url);
    return tab;
  }

  async countPayments(): Promise<number> {
    return (await this.given.api.get(`/api/paylinks/${this.id}/payments`)).body.length;
  }

  get sentTransactions(): number {
    return this.wallet.asked.filter((method) => method === 'eth_sendTransaction').length;
  }

  async finish(): Promise<void> {
    this.wallet.close();
    await this.payer.close();
  }
}

const payButton = (page: Page) => page.getByRole('button', { name: 'Pay 1.25 USDC' });

/** Chooses USDC on Base, and connects the wallet. Stops before the click that opens it. */
async function review(page: Page): Promise<void> {
  await page.locator(usdcOnBase).click();
  // The previous page, with the options, also contains the list of wallets.
  await page.locator('.review').waitFor({ state: 'attached' });
  await page.locator('#wallets').getByRole('button', { name: 'Fox Wallet' }).click();
  await page
    .getByText(/You hold [\d,.]+/)
    .first()
    .waitFor();
  await page.locator('#pay-now').waitFor();
}

/** Compares screenshots of a phone and a desktop, and checks accessibility. */
async function expectLooks(page: Page, name: string): Promise<void> {
  for (const [size, width] of sizes) {
    await page.setViewportSize({ width, height: 844 });
    expect(await accessibilityProblems(page)).toEqual([]);
    await expectLooksApproved(page, `${name}-${size}`);
  }
}

const waitForPaid = (page: Page): Promise<void> =>
  page
    .getByText(/Paid\.|This has been paid\./)
    .first()
    .waitFor();

/** Payers of a PayLink: its page, its checkout, and the counted payments. */
export function payLinkCases(given: () => Given): void {
  paidCases(given);
  returnCases(given);
}

function paidCases(given: () => Given): void {
  it('opens one checkout after two clicks, pays once, and offers a second payment only with "Pay again"', async () => {
    const visit = await Visit.start(given());
    const { page } = visit.payer;
    const started: string[] = [];
    page.on('response', (reply) => {
      if (reply.status() === 303 && reply.url().includes('/l/')) started.push(reply.headers()['location']!);
    });
    await payButton(page).dblclick();
    await page.waitForURL(checkoutPath);
    expect(new Set(started).size).toBe(1);
    await review(page);
    await page.locator('#pay-now').dblclick();
    await page.getByText('Paid.').waitFor();
    expect(visit.sentTransactions).toBe(2);
    await eventually(async () => expect(await visit.countPayments()).toBe(1));
    await page.getByRole('link', { name: 'Receipt' }).click();
    await page.getByText('Receipt number').waitFor();
    const tab = await visit.openTab();
    await tab.getByText('This has been paid.').waitFor();
    expect(await payButton(tab).count()).toBe(0);
    await expectLooks(tab, 'paylink-paid');
    await tab.getByRole('button', { name: 'Pay again' }).click();
    await tab.waitForURL(checkoutPath);
    expect(started).not.toContain(new URL(tab.url()).pathname);
    await review(tab);
    await visit.finish();
  });

  it('pays once when two tabs click at the same time on a PayLink with one payment, and shows it in both', async () => {
    const visit = await Visit.start(given(), { maxPayments: 1 });
    const tabs = [visit.payer.page, await visit.openTab()];
    await Promise.all(tabs.map((tab) => payButton(tab).click()));
    await Promise.all(tabs.map((tab) => tab.waitForURL(checkoutPath)));
    expect(new Set(tabs.map((tab) => tab.url())).size).toBe(1);
    for (const tab of tabs) await review(tab);
    const answer = visit.wallet.hold('eth_sendTransaction');
    // A tab that already shows the other tab's claim has no button left.
    await Promise.all(tabs.map((tab) => tab.evaluate(`document.querySelector('#pay-now')?.click()`)));
    for (const tab of tabs) await tab.locator('#pay-now').waitFor({ state: 'detached' });
    expect(visit.sentTransactions).toBe(1);
    answer();
    for (const tab of tabs) await waitForPaid(tab);
    expect(visit.sentTransactions).toBe(2);
    await eventually(async () => expect(await visit.countPayments()).toBe(1));
    // The link has no payments left: its page shows the existing payment.
    const third = await visit.openTab();
    await third.getByText('This has been paid.').waitFor();
    await expectLooks(third, 'paylink-used-up');
    await visit.finish();
  });
}

function returnCases(given: () => Given): void {
  it('links to the checkout while a wallet is open, after a reload and from a new tab', async () => {
    const visit = await Visit.start(given());
    const { page } = visit.payer;
    await payButton(page).click();
    await review(page);
    const answer = visit.wallet.hold('eth_sendTransaction');
    await page.locator('#pay-now').click();
    await page.getByText('Step 1 of 2: allow the amount').waitFor();
    await page.reload();
    const tab = await visit.openTab();
    for (const each of [page, tab]) {
      await each.getByText('A wallet was asked to pay').waitFor();
      expect(await each.locator('#pay-now, .option').count()).toBe(0);
    }
    expect(tab.url()).toBe(page.url());
    answer();
    await visit.finish();
  });

  it("offers no payment between the wallet's confirmation and the chain's result, and counts one payment", async () => {
    const visit = await Visit.start(given());
    const { wallet, payer } = visit;
    const { page } = payer;
    wallet.isAtomic = true;
    await payButton(page).click();
    await review(page);
    const makeBlocks = await wallet.stopBlocks();
    await page.locator('#pay-now').click();
    const sent = 'The payment was sent and waits for the network';
    await page.getByText(sent).filter({ visible: true }).first().waitFor();
    await page.reload();
    const tab = await visit.openTab();
    for (const each of [page, tab]) {
      await each.getByText(sent).filter({ visible: true }).first().waitFor();
      expect(await each.locator('#pay-now, .option').count()).toBe(0);
    }
    await makeBlocks();
    for (const each of [page, tab]) await waitForPaid(each);
    expect(wallet.asked.filter((method) => method === 'wallet_sendCalls')).toHaveLength(1);
    await eventually(async () => expect(await visit.countPayments()).toBe(1));
    await visit.finish();
  });
}
