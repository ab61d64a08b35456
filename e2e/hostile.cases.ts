import { Wallet } from 'ethers';
import type { Browser } from 'playwright-core';
import { installWallet } from './browser';
import { DashboardPage } from './dashboard-page';
import { effectsOn, HostileShop, lookalike } from './hostile-shop';
import type { Api } from './http';
import type { Payer } from './payer';

interface Given {
  gateway: string;
  browser: Browser;
  api: Api;
  payer: Payer;
  secrets: string[];
}

const phone = { viewport: { width: 390, height: 844 } };

/** Payers and the shop's own dashboard show a shop's input as text. */
export function hostileCases(given: () => Given): void {
  it('shows hostile names, descriptions and metadata as text that displaces nothing else', async () => {
    const { gateway, browser, api, payer, secrets } = given();
    const account = Wallet.createRandom();
    const shop = new HostileShop(api, account);
    await shop.expectRejections();
    const { choice, payment, link } = await shop.open(payer, gateway);
    const on = await DashboardPage.open(browser, gateway, phone);
    const ran: string[] = [];
    await on.page.exposeFunction('ran', () => ran.push(on.page.url()));

    await lookAsPayer(on, [choice, payment, `${payment}/receipt`, link], account.address);
    await installWallet(on.page, account);
    await on.goto();
    await on.button('Sign in with Test Wallet (EVM)').click();
    await on.heading('Overview').waitFor();
    secrets.push(await on.sessionToken());
    await lookAsMerchant(on, link.replace('/l/', '/paylinks/'));
    expect([ran, on.faults]).toEqual([[], []]);

    // The search finds a text without isolation.
    await on.page.evaluate(`const question = document.querySelector('h1');
      question.append(' \\u202Eab\\u05E9 ', document.createElement('b'));
      question.querySelector('b').append('12 USDC')`);
    expect((await effectsOn(on.page)).faults).not.toEqual([]);
    await on.context.close();
  });
}

async function expectHarmless({ page }: DashboardPage): Promise<void> {
  await page.getByText(lookalike).first().waitFor();
  const { faults, hostile } = await effectsOn(page);
  expect([page.url(), faults, hostile > 0]).toEqual([page.url(), [], true]);
}

async function lookAsPayer(on: DashboardPage, paths: readonly string[], address: string): Promise<void> {
  for (const path of paths) {
    await on.page.goto(on.gateway + path);
    // The name may look like another shop's name, so the page shows the address beside it.
    const shown = new RegExp(`${address.slice(0, 6)}…${address.slice(-4)}|${address}`);
    await on.page.getByText(shown).first().waitFor();
    await expectHarmless(on);
  }
}

/** Checks the lists, the confirmation of a deletion, and the preview of the settings. */
async function lookAsMerchant(on: DashboardPage, link: string): Promise<void> {
  for (const path of ['/transactions', '/requests', '/paylinks', '/keys']) {
    await on.goto(path);
    await expectHarmless(on);
  }
  await on.goto(link);
  await on.button('Delete').click();
  await on.dialog.getByText(lookalike).waitFor();
  await expectHarmless(on);
  await on.goto('/settings');
  const preview = on.page.frameLocator('iframe[title="Preview of the checkout"]');
  await preview.getByText(lookalike).waitFor();
  expect(await on.page.getByLabel('Webhook address').inputValue()).toBe('javascript:ran()');
  expect((await effectsOn(on.page)).faults).toEqual([]);
  await on.goto('/webhooks');
  await on.loaded('Webhooks');
  expect((await effectsOn(on.page)).faults).toEqual([]);
}
