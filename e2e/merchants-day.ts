import { readFileSync } from 'node:fs';
import { eventually } from '@tollbridge/testing';
import type { Request } from 'playwright-core';
import { PNG } from 'pngjs';
import type { DashboardPage } from './dashboard-page';

/** Stores the name of the shop and the webhook address. The page warns of an unusable address. */
export async function changeSettings(on: DashboardPage, webhookUrl: string): Promise<void> {
  const { page } = on;
  const name = 'Corner <b>Café</b>';
  await on.visit('Settings');
  await page.getByLabel('Name of the shop').fill(name);
  const preview = page.frameLocator('iframe[title="Preview of the checkout"]');
  await preview.getByText(name).waitFor();
  await preview.getByRole('heading', { name: '12.50 USDC' }).waitFor();
  await lookAtUnsavedLogo(on);
  await page.getByLabel('Colour of the buttons').fill('#8a2be2');
  await page.getByLabel('Webhook address').fill('ftp://shop.example');
  await on.button('Save').click();
  const warning = page.getByText('no webhooks are sent: webhookUrl must');
  await warning.waitFor();
  await page.getByLabel('Webhook address').fill(webhookUrl);
  const isSave = (request: Request) => request.method() === 'PUT' && request.url().endsWith('/api/settings');
  const [saved] = await Promise.all([
    page.waitForResponse((response) => isSave(response.request())),
    on.button('Save').click(),
  ]);
  expect(saved.status()).toBe(200);
  await page.getByText('Settings saved').first().waitFor();
  await warning.waitFor({ state: 'detached' });
}

/** The preview shows a logo before it is saved, and removes it when the logo is removed. */
async function lookAtUnsavedLogo(on: DashboardPage): Promise<void> {
  const { page } = on;
  const logo = page.frameLocator('iframe[title="Preview of the checkout"]').locator('img.logo');
  for (const width of [3, 5]) {
    const buffer = PNG.sync.write(new PNG({ width, height: 2 }));
    await page.getByLabel('Logo').setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer });
    const shownWidth = async () =>
      expect(await logo.evaluate((image: any) => image.naturalWidth as number)).toBe(width);
    await eventually(shownWidth);
  }
  await on.button('Remove the logo').click();
  await logo.waitFor({ state: 'detached' });
}

/** Returns the secret that verifies webhooks. */
export async function createWebhookSecret(on: DashboardPage): Promise<string> {
  await on.visit('Webhooks');
  await on.button('New secret').click();
  await on.inDialog('New secret').click();
  const secret = await on.shownSecret();
  await on.button('Close').click();
  return secret;
}

/** Returns the address of the new link. Before that, checks that the form rejects an invalid amount. */
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

/** A server that records the received bodies. */
export interface MerchantsServer {
  received: readonly string[];
  /** Sets the status of all further responses. */
  answer: (status: number) => void;
}

/** The payer submits the transaction until the gateway has found it. */
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
  await eventually(report, { everyMs: 1_000 });
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

/**
 * Replays the delivered message of the payment.
 * @param received bodies that the merchant's server has received
 */
export async function replayWebhook(on: DashboardPage, received: readonly string[]): Promise<void> {
  const deliveries = () => received.filter((body) => body.includes('paylink.paid')).length;
  await on.visit('Webhooks');
  await on.button('paylink.paid').click();
  await on.dialog.getByText('Delivered').waitFor();
  const before = deliveries();
  await on.inDialog('Replay').dblclick();
  await on.page.getByText('The message is sent again').waitFor();
  await eventually(() => expect(deliveries()).toBe(before + 1));
  await on.button('Close').click();
}

/** The server is down for a while: messages wait, and are sent once when the merchant resumes them. */
export async function resumeWebhooks(
  on: DashboardPage,
  { received, answer }: MerchantsServer,
): Promise<void> {
  const resumptions: string[] = [];
  on.page.on('request', (request) => {
    if (request.url().endsWith('/endpoint/resume')) resumptions.push(request.method());
  });
  answer(410);
  await on.button('paylink.paid').click();
  await on.inDialog('Replay').click();
  await on.shows('The message is sent again');
  await on.button('Close').click();
  await on.shows('Your server answered 410');
  const before = received.length;
  answer(200);
  await on.page.reload();
  await on.button('Resume now').dblclick();
  await on.shows('Receives messages');
  await eventually(() => expect(received.length).toBe(before + 1));
  expect(resumptions).toEqual(['POST']);
  await on.page.locator('tbody').getByText('Delivered').waitFor();
}

/** Markup and right-to-left text, as a customer may enter it. */
const hostile = 'Tea <img src=x onerror=alert(1)> שלום';

/** Creates a request, finds it in the list by its description, and cancels it. */
export async function cancelRequest(on: DashboardPage): Promise<void> {
  const { page } = on;
  await on.visit('Payment requests');
  await on.button('Create a payment request').first().click();
  await on.dialog.getByLabel('Description').fill(hostile);
  await on.dialog.getByLabel('Amount', { exact: true }).fill('2');
  await on.inDialog('Create').click();
  await on.dialog.getByRole('img', { name: /QR code/ }).waitFor();
  await on.button('Close').click();
  await page.getByRole('button', { name: hostile }).click();
  await on.button('Cancel the request').click();
  await page
    .getByRole('dialog', { name: 'Cancel this request?' })
    .getByRole('button', { name: 'Cancel the request' })
    .click();
  await on.dialog.getByText('Canceled').waitFor();
  await on.button('Close').click();
  await page.getByLabel('Status').selectOption('canceled');
  await page.getByRole('button', { name: hostile }).waitFor();
}

/** Finds the payment by its hash, opens it, and downloads it. */
export async function findTransaction(on: DashboardPage, txHash: string): Promise<void> {
  const { page } = on;
  await on.visit('Transactions');
  await page.getByLabel('Search').fill('0xffff');
  await page.getByText('No transaction matches').waitFor();
  await page.getByLabel('Search').fill(txHash.slice(0, 20));
  await page.getByRole('link', { name: 'PayLink: Green tea' }).click();
  await on.heading('Transaction').waitFor();
  await page.getByText('Confirmed by').waitFor();
  await page.goBack();
  const [download] = await Promise.all([page.waitForEvent('download'), on.button('Export CSV').click()]);
  const csv = readFileSync(await download.path(), 'utf8');
  expect([csv.split('\r\n').length, csv.includes(txHash)]).toEqual([3, true]);
}

/** Returns the new secret of the key. */
export async function rotateKey(on: DashboardPage): Promise<string> {
  await on.visit('API keys');
  await on.button('Till').click();
  await on.button('Rotate').click();
  const confirmation = on.page.getByRole('dialog', { name: /^Rotate the secret/ });
  await confirmation.getByRole('button', { name: 'Rotate' }).click();
  const secret = await on.shownSecret();
  await on.page.keyboard.press('Escape');
  await on.page.keyboard.press('Escape');
  await on.dialog.waitFor({ state: 'detached' });
  return secret;
}

/** Pauses, resumes and deletes a link. */
export async function deletePayLink(on: DashboardPage): Promise<void> {
  await on.visit('PayLinks');
  await on.page.getByRole('link', { name: 'Green tea' }).click();
  await on.button('Pause').click();
  await on.button('Resume').click();
  await on.button('Pause').waitFor();
  await on.button('Delete').click();
  await on.inDialog('Delete').click();
  await on.page.getByText('Your first PayLink').waitFor();
}
