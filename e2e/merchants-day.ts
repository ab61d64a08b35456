import { eventually } from '@tollbridge/testing';
import type { DashboardPage } from './dashboard-page';

/** Stores the name of the shop and the webhook address; a wrong address is rejected at its field. */
export async function changeSettings(on: DashboardPage, webhookUrl: string): Promise<void> {
  const { page } = on;
  const name = 'Corner <b>Café</b>';
  await on.visit('Settings');
  await page.getByLabel('Name of the shop').fill(name);
  await page.getByLabel('Preview of the checkout').getByText(name).waitFor();
  await page.getByLabel('Webhook address').fill('ftp://shop.example');
  await on.button('Save').click();
  await page.locator('[aria-invalid=true]').waitFor();
  await page.getByLabel('Webhook address').fill(webhookUrl);
  await on.button('Save').click();
  await page.getByText('Settings saved').waitFor();
}

/** Returns the secret by which the server verifies webhooks. */
export async function createWebhookSecret(on: DashboardPage): Promise<string> {
  await on.visit('Webhooks');
  await on.button('New secret').click();
  await on.inDialog('New secret').click();
  const secret = await on.shownSecret();
  await on.button('Close').click();
  return secret;
}

/** Returns the address of the new link; an amount that is none is rejected at its field. */
export async function createPayLink(on: DashboardPage): Promise<string> {
  await on.visit('PayLinks');
  await on.button('Create a PayLink').first().click();
  const { dialog } = on;
  const amount = dialog.getByLabel('Amount', { exact: true });
  await dialog.getByLabel('Name').fill('Green tea');
  await amount.fill('one');
  await on.inDialog('Create').click();
  await dialog.locator('[aria-invalid=true]').first().waitFor();
  await amount.fill('1');
  await dialog.getByLabel('Description').fill('A pot');
  await on.inDialog('Create').click();
  const url = (await dialog.getByRole('link', { name: /\/l\// }).getAttribute('href'))!;
  await dialog.getByRole('img', { name: /QR code/ }).waitFor();
  await on.button('Done').click();
  return url;
}

/** The payer reports the transaction until the gateway has found it. */
export async function reportPayment(
  { gateway }: DashboardPage,
  linkUrl: string,
  txHash: string,
): Promise<void> {
  const body = JSON.stringify({ txHash });
  const headers = { 'content-type': 'application/json' };
  const url = `${gateway}/api/paylinks/${linkUrl.split('/').at(-1)}/pay`;
  const report = async () =>
    expect(await (await fetch(url, { method: 'POST', headers, body })).json()).toMatchObject({
      verified: true,
    });
  await eventually(report, { timeoutMs: 20_000, everyMs: 1_000 });
}

/** Returns the secret of a key with a budget. */
export async function createKey(on: DashboardPage): Promise<string> {
  await on.visit('API keys');
  await on.button('Create a key').first().click();
  await on.dialog.getByLabel('Label').fill('Till');
  await on.dialog.getByLabel('Budget of a month').fill('100');
  await on.inDialog('Create').click();
  const secret = await on.shownSecret();
  await on.button('I have stored it').click();
  await on.page.getByText('$0.00 of $100.00').waitFor();
  return secret;
}

/** Replays the delivered message of the payment. @param received bodies that the merchant's server has got */
export async function replayWebhook(on: DashboardPage, received: readonly string[]): Promise<void> {
  const deliveries = () => received.filter((body) => body.includes('paylink.paid')).length;
  await on.visit('Webhooks');
  await on.button('paylink.paid').click();
  await on.dialog.getByText('Delivered').waitFor();
  const before = deliveries();
  await on.inDialog('Replay').click();
  await eventually(() => expect(deliveries()).toBe(before + 1), { timeoutMs: 10_000 });
  await on.button('Close').click();
}
