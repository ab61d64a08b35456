import { eventually } from '@tollbridge/testing';
import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { Browser, FrameLocator, Page } from 'playwright-core';
import { pageTimeoutMs } from '../browser';
import { readGuide } from '../guides/guide';
import type { EvmWallet } from './evm-wallet';

interface Given {
  url: string;
  browser: Browser;
  wallet(): Promise<EvmWallet>;
}

const merchant = {
  'x-wallet': '0x976EA74026E726554dB657fA54763abd0C3a0aa9',
  'content-type': 'application/json',
};

/** The page of a shop from docs/guides/embed.md, on its own origin. */
class Shop {
  private constructor(
    readonly origin: string,
    private readonly server: Server,
    private readonly page: { text: string },
  ) {}

  static async open(): Promise<Shop> {
    const page = { text: '' };
    const server = createServer((_request, response) =>
      response.setHeader('content-type', 'text/html').end(page.text),
    );
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    return new Shop(`http://127.0.0.1:${port}`, server, page);
  }

  write(text: string): void {
    this.page.text = text;
  }

  show(api: string, link: string): void {
    const { text } = readGuide('docs/guides/embed.md').steps.find(({ saveAs }) => saveAs === 'shop.html')!;
    this.write(text.replaceAll('{api}', api).replaceAll('{link}', link));
  }

  close(): void {
    this.server.close();
  }
}

async function send(method: string, url: string, body: object): Promise<any> {
  return (await fetch(url, { method, headers: merchant, body: JSON.stringify(body) })).json();
}

/**
 * Allows an origin, and creates a payment request.
 * @returns the URL of its page
 */
async function ask(url: string, embedOrigins: readonly string[], returnTo: string): Promise<string> {
  await send('PUT', `${url}/api/settings`, { embedOrigins });
  const terms = { amount: '2500000', currency: 'USDC', chain: 'base', cancel_url: `${returnTo}/cart` };
  return (await send('POST', `${url}/api/v1/merchant/payment-requests`, terms)).payment_link;
}

/**
 * Allows an origin, and creates a PayLink.
 * @returns the URL of its page
 */
async function createPayLink(url: string, embedOrigins: readonly string[]): Promise<string> {
  await send('PUT', `${url}/api/settings`, { embedOrigins });
  const terms = { name: 'Tea', description: 'Green', amount: '2500000', token: 'USDC' };
  const receiver = { network: 'eip155:8453', receiveAddress: merchant['x-wallet'] };
  const { id } = await send('POST', `${url}/api/paylinks`, { ...terms, ...receiver });
  return `${url}/l/${id}`;
}

/** Pays on the options page in a frame. */
async function payIn(frame: FrameLocator): Promise<void> {
  await frame.locator('.option[data-token="USDC"][data-chain="eip155:8453"] button').click();
  // Clicks in frames do not wait for the next page.
  await frame.getByText('Waiting for your payment').waitFor();
  await frame.getByRole('button', { name: 'Fox Wallet' }).click();
  await frame.locator('#pay-now').click();
}

// A string, because it runs in the page. Sends a message from the page itself, and one from another frame.
const forge = `
  const message = { tollbridge: 1, event: { type: 'completed', payment_id: 'forged' } };
  window.postMessage(message, '*');
  const frame = document.body.appendChild(document.createElement('iframe'));
  frame.srcdoc = '<script>parent.postMessage(' + JSON.stringify(message) + ", '*')</script>";
  new Promise((resolve) => frame.addEventListener('load', () => setTimeout(resolve, 50)));
`;

const stateOf = (page: Page, text: string) =>
  page.locator('#state', { hasText: new RegExp(`^${text}$`) }).waitFor();

/** A page in its own browser context. */
async function openPage(browser: Browser): Promise<Page> {
  const page = await browser.newPage();
  page.context().setDefaultTimeout(pageTimeoutMs);
  return page;
}

const expectSoon = (read: () => string, part: string) => eventually(() => expect(read()).toContain(part));

/** A shop that shows the checkout in its own page. */
export function embedCases(given: () => Given): void {
  paidCases(given);
  unpaidCases(given);
}

function paidCases(given: () => Given): void {
  it('pays in a frame of the shop, which receives each state and ignores forged messages', async () => {
    const { url, browser, wallet: openWallet } = given();
    const [shop, wallet] = await Promise.all([Shop.open(), openWallet()]);
    shop.show(url, await ask(url, [shop.origin], shop.origin));
    const page = await openPage(browser);
    await wallet.install(page);
    await page.goto(shop.origin);
    await page.getByRole('link', { name: 'Pay' }).click();
    await stateOf(page, 'opened');
    await page.evaluate(forge);
    await stateOf(page, 'opened');
    const frame = page.frameLocator('iframe[title="Payment"]');
    await payIn(frame);
    await stateOf(page, 'completed');
    await page.getByRole('button', { name: 'Close' }).click();
    expect(await page.locator('iframe[title="Payment"]').count()).toBe(0);
    wallet.close();
    await page.close();
    shop.close();
  });

  it('pays a PayLink in a frame of the shop, and shows it as paid when the shop opens it again', async () => {
    const { url, browser, wallet: openWallet } = given();
    const [shop, wallet] = await Promise.all([Shop.open(), openWallet()]);
    shop.show(url, await createPayLink(url, [shop.origin]));
    const page = await openPage(browser);
    await wallet.install(page);
    await page.goto(shop.origin);
    await page.getByRole('link', { name: 'Pay' }).click();
    await stateOf(page, 'opened');
    const frame = page.frameLocator('iframe[title="Payment"]');
    await frame.getByRole('button', { name: 'Pay 2.5 USDC' }).click();
    await payIn(frame);
    await stateOf(page, 'completed');
    await page.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('link', { name: 'Pay' }).click();
    await frame.getByText('This has been paid.').waitFor();
    wallet.close();
    await page.close();
    shop.close();
  });
}

function unpaidCases(given: () => Given): void {
  it('reports the return of the payer from a window to the shop', async () => {
    const { url, browser } = given();
    const shop = await Shop.open();
    shop.show(url, await ask(url, [shop.origin], shop.origin));
    const page = await openPage(browser);
    await page.goto(shop.origin);
    const opened = page.waitForEvent('popup');
    await page.getByRole('button', { name: 'Pay in a window' }).click();
    const popup = await opened;
    await stateOf(page, 'opened');
    await popup.getByRole('link', { name: 'Back to the merchant' }).click();
    await stateOf(page, 'closed');
    if (!popup.isClosed()) await popup.waitForEvent('close');
    await page.close();
    shop.close();
  });

  it('does not open in a frame of a page that the merchant has not allowed', async () => {
    const { url, browser } = given();
    const shop = await Shop.open();
    shop.show(url, await ask(url, ['https://shop.example'], shop.origin));
    const page = await openPage(browser);
    const errors: string[] = [];
    page.on('console', (message) => void errors.push(message.text()));
    await page.clock.install();
    await page.goto(shop.origin);
    // From here on, only this test advances the time.
    await page.clock.pauseAt(Date.now() + 60_000);
    await page.getByRole('link', { name: 'Pay' }).click();
    while (errors.length === 0) await page.waitForTimeout(50);
    expect(errors.join()).toContain('frame-ancestors');
    expect(await page.frameLocator('iframe[title="Payment"]').locator('main').count()).toBe(0);
    // The browser shows nothing, so the script of the shop's page shows the error.
    const retry = page.getByRole('alert').getByRole('button', { name: 'Try again' });
    expect(await retry.isVisible()).toBe(false);
    await page.clock.fastForward(10_000);
    await retry.click();
    expect(await retry.isVisible()).toBe(false);
    await page.clock.fastForward(10_000);
    await retry.waitFor();
    expect(await page.locator('#state').textContent()).toBe('Not paid yet');
    await page.close();
    shop.close();
  });
}

/** A malicious page that embeds the checkout of a shop to steal payers or payments. */
export function embedThiefCases(given: () => Pick<Given, 'url' | 'browser'>): void {
  it('reports nothing to a page that claims an allowed origin, and does not open in a nested frame', async () => {
    const { url, browser } = given();
    const [shop, thief] = await Promise.all([Shop.open(), Shop.open()]);
    const link = await ask(url, [shop.origin], shop.origin);
    shop.show(url, link);
    thief.write(`<button>Win</button><iframe src="${shop.origin}"></iframe><script>
      addEventListener('message', ({ data }) => (document.title += JSON.stringify(data)));
      document.querySelector('button').onclick = () => open('${link}', 'tollbridge ${shop.origin}', 'popup');
    </script>`);
    const page = await openPage(browser);
    const errors: string[] = [];
    page.on('console', (message) => void errors.push(message.text()));
    await page.goto(thief.origin);
    const opened = page.waitForEvent('popup');
    await page.getByRole('button', { name: 'Win' }).click();
    const popup = await opened;
    await popup.getByRole('main').waitFor();
    // The browser logs an error when it withholds the message from a window of another origin.
    await expectSoon(() => errors.join(), shop.origin);
    expect(await page.title()).toBe('');
    // In a frame of an allowed page that is itself in a frame of the malicious page.
    errors.length = 0;
    const inner = page.frameLocator('iframe');
    await inner.getByRole('link', { name: 'Pay' }).click();
    await expectSoon(() => errors.join(), 'frame-ancestors');
    expect(await inner.frameLocator('iframe[title="Payment"]').locator('main').count()).toBe(0);
    await page.close();
    for (const each of [shop, thief]) each.close();
  });

  it('does not show the dashboard in a frame', async () => {
    const { url, browser } = given();
    const thief = await Shop.open();
    thief.write(`<iframe src="${url}/dashboard"></iframe>`);
    const page = await openPage(browser);
    const errors: string[] = [];
    page.on('console', (message) => void errors.push(message.text()));
    await page.goto(thief.origin);
    await expectSoon(() => errors.join(), 'frame-ancestors');
    expect(await page.frameLocator('iframe').locator('#app').count()).toBe(0);
    await page.close();
    thief.close();
  });
}
