import type { Browser } from 'playwright-core';
import { eventually } from '@tollbridge/testing';
import { PayerPage } from './checkout/browser';
import type { Api } from './http';

type Given = () => { api: Api; browser: Browser };

async function open(given: Given, path: string, width = 1_280): Promise<PayerPage> {
  const it = await PayerPage.open(given().browser, given().api.url, { width });
  await it.page.goto(given().api.url + path);
  return it;
}

/** Path, query and fragment of a page. */
const addressOf = (it: PayerPage): string => {
  const { pathname, search, hash } = new URL(it.page.url());
  return pathname + search + hash;
};

/** The API reference at `/docs`, in a real browser. */
export function referenceCases(given: Given): void {
  it('the API reference finds an operation with the keyboard, on a desktop and on a phone', async () => {
    for (const width of [1_280, 390]) {
      const it = await open(given, '/docs', width);
      const { page } = it;
      await page.keyboard.press('/');
      await page.keyboard.type('wallet call pays');
      await page.getByText('1 operation', { exact: true }).waitFor();
      expect(await it.accessibilityProblems()).toEqual([]);
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('ArrowUp');
      expect(await page.evaluate('document.activeElement.id')).toBe('q');
      await page.keyboard.press('Enter');
      await page.waitForURL('**/docs/orders#getOrderWalletCall');
      expect(await page.locator('#getOrderWalletCall').isVisible()).toBe(true);
      await it.close();
    }
  });

  it('the API reference searches the guides if no operation matches, and Escape shows all again', async () => {
    const it = await open(given, '/docs/orders');
    const { page } = it;
    await page.keyboard.press('/');
    await page.keyboard.type('settlement proof');
    await page.getByText('No operation matches.').waitFor();
    await page.keyboard.press('Escape');
    expect(await page.locator('#all-operations li:visible').count()).toBe(6);
    await page.keyboard.type('settlement');
    await page.keyboard.type(' chain');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/guides?q=settlement+chain');
    await it.close();
  });

  it.each([
    ['/docs#createOrder', '/docs/orders#createOrder'],
    ['/docs#/Orders/createOrder', '/docs/orders#createOrder'],
    ['/docs#/Gift%20cards%2C%20airtime%2C%20bills', '/docs/gift-cards-airtime-bills'],
    ['/docs/orders#listPaymentRequests', '/docs/payment-requests#listPaymentRequests'],
    ['/docs#%E0%A4%A', '/docs#%E0%A4%A'],
    ['/docs#nothing', '/docs#nothing'],
  ])('the link %s leads to %s', async (from, to) => {
    const it = await open(given, from);
    await eventually(async () => expect(addressOf(it)).toBe(to));
    await it.close();
  });

  sampleCases(given);
}

function sampleCases(given: Given): void {
  it('the API reference shows samples in the language that was selected once, and copies them', async () => {
    const it = await open(given, '/docs/orders');
    const { page } = it;
    const sample = (id: string) => page.locator(`#${id} .tabs .code:visible`);
    expect(await sample('createOrder').textContent()).toContain('curl');
    await page.locator('#getOrder').getByLabel('CLI').check();
    expect(await sample('createOrder').textContent()).toContain('tollbridge orders create-order');
    await page.goto(`${given().api.url}/docs/payment-requests`);
    await sample('listPaymentRequests').getByText('tollbridge payment-requests').waitFor();
    await sample('listPaymentRequests').getByRole('button', { name: 'Copy' }).click();
    await sample('listPaymentRequests').getByRole('button', { name: 'Copied' }).waitFor();
    const copied = await page.evaluate('navigator.clipboard.readText()');
    expect(copied).toBe('tollbridge payment-requests list-payment-requests');
    await it.close();
  });

  it('the API reference shows operations, fields and samples without scripts', async () => {
    const it = await PayerPage.open(given().browser, given().api.url, { hasScript: false, width: 1_280 });
    const { page } = it;
    await page.goto(`${given().api.url}/docs#createOrder`);
    await page.locator('#createOrder a').click();
    expect(addressOf(it)).toBe('/docs/orders#createOrder');
    const samples = page.locator('#createOrder .tabs');
    await samples.getByLabel('SDK').check();
    expect(await samples.locator('.code:visible').textContent()).toContain('await createOrder(client, {');
    await it.close();
  });
}
