import { eventually } from '@tollbridge/testing';
import { Wallet } from 'ethers';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { installWallet, openBrowser, watch } from './browser';
import type { Payer } from './payer';

export interface DashboardHarness {
  gateway: string;
  payer: Payer;
  /** Secrets that are shown here, which no log may hold. */
  secrets: string[];
}

const pages = [
  ['', 'Overview'],
  ['/transactions', 'Transactions'],
  ['/requests', 'Payment requests'],
  ['/paylinks', 'PayLinks'],
  ['/nano', 'Nano-payments'],
  ['/ledger', 'Ledger'],
  ['/payouts', 'Payouts'],
  ['/services', 'Services'],
  ['/webhooks', 'Webhooks'],
  ['/keys', 'API keys'],
  ['/settings', 'Settings'],
] as const;

let browser: Browser;
let context: BrowserContext;
let page: Page;
let faults: string[];

async function open(gateway: string, options: Parameters<Browser['newContext']>[0] = {}): Promise<void> {
  context = await browser.newContext(options);
  context.setDefaultTimeout(20_000);
  // Before the sign-in, the question who is signed in is answered by 401.
  faults = watch(context, gateway, (url) => url === `${gateway}/dashboard/session`);
  page = await context.newPage();
}

const button = (name: string) => page.getByRole('button', { name, exact: true });
const dialog = () => page.getByRole('dialog');
const heading = (name: string) => page.getByRole('heading', { level: 1, name, exact: true });
const visit = (name: string) => page.getByRole('link', { name, exact: true }).click();

/** The session token, which only the browser and the gateway have. */
async function tokenOf(): Promise<string> {
  const cookies = await context.cookies();
  const { value, httpOnly, sameSite } = cookies.find(({ name }) => name === 'tollbridge_session')!;
  expect([httpOnly, sameSite]).toEqual([true, 'Strict']);
  return value;
}

/** A merchant's server, which counts what it receives. */
async function listen(): Promise<{ server: Server; url: string; received: string[] }> {
  const received: string[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      received.push(body);
      response.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, received };
}

/** Violations of WCAG 2.2 AA that axe finds in the page. */
async function violations(): Promise<string[]> {
  await page.evaluate(readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8'));
  const tags = JSON.stringify(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']);
  const run = `axe.run({ runOnly: { type: 'tag', values: ${tags} } }).then(({ violations }) => violations)`;
  const found = await page.evaluate<{ id: string; nodes: { html: string }[] }[]>(run);
  return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`);
}

/** The dashboard in a real browser. */
export function dashboardCases(harness: () => DashboardHarness): void {
  beforeAll(async () => {
    browser = await openBrowser();
  }, 30_000);
  afterAll(() => browser?.close());
  afterEach(() => context?.close());

  const url = (path = '') => `${harness().gateway}/dashboard${path}`;

  async function signInAsDemo(): Promise<void> {
    await page.goto(url());
    await button('Sign in as the demo merchant').click();
    await heading('Overview').waitFor();
    harness().secrets.push(await tokenOf());
  }

  it('leads a merchant through the day: sign-in, settings, PayLink, payment, key, webhook', async () => {
    const { gateway, payer, secrets } = harness();
    const { server, url: hookUrl, received } = await listen();
    const wallet = Wallet.createRandom();
    await open(gateway);
    await installWallet(page, wallet as unknown as Wallet);

    await page.goto(url());
    await button('Sign in with Test Wallet').click();
    await page.getByText('No payments yet').waitFor();
    const token = await tokenOf();
    secrets.push(token);
    expect(await page.evaluate('document.cookie')).toBe('');

    await visit('Settings');
    await page.getByLabel('Name of the shop').fill('Corner <b>Café</b>');
    await page.getByLabel('Preview of the checkout').getByText('Corner <b>Café</b>').waitFor();
    await page.getByLabel('Webhook address').fill('ftp://shop.example');
    await button('Save').click();
    await page.locator('[aria-invalid=true]').waitFor();
    await page.getByLabel('Webhook address').fill(hookUrl);
    await button('Save').click();
    await page.getByText('Settings saved').waitFor();

    await visit('Webhooks');
    await button('New secret').click();
    await dialog().getByRole('button', { name: 'New secret' }).click();
    const secret = page.getByLabel('Secret', { exact: true });
    await secret.waitFor();
    secrets.push((await secret.textContent())!.trim());
    await button('Close').click();

    await visit('PayLinks');
    await button('Create a PayLink').first().click();
    await dialog().getByLabel('Name').fill('Green tea');
    await dialog().getByLabel('Amount', { exact: true }).fill('one');
    await dialog().getByRole('button', { name: 'Create', exact: true }).click();
    await dialog().locator('[aria-invalid=true]').first().waitFor();
    await dialog().getByLabel('Amount', { exact: true }).fill('1');
    await dialog().getByLabel('Description').fill('A pot');
    await dialog().getByRole('button', { name: 'Create', exact: true }).click();
    const shared = dialog().getByRole('link', { name: /\/l\// });
    const link = (await shared.getAttribute('href'))!;
    await dialog()
      .getByRole('img', { name: /QR code/ })
      .waitFor();
    await button('Done').click();

    const txHash = await payer.transfer('USDC', wallet.address, 1_000_000n);
    const id = link.split('/').at(-1)!;
    await eventually(
      async () => {
        const reply = await fetch(`${gateway}/api/paylinks/${id}/pay`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ txHash }),
        });
        expect(await reply.json()).toMatchObject({ verified: true });
      },
      { timeoutMs: 20_000, everyMs: 1_000 },
    );
    await page.getByRole('link', { name: 'Green tea' }).click();
    await page.getByText('Counted').waitFor();
    await visit('Overview');
    await page.getByText('$1.00').first().waitFor();

    await visit('API keys');
    await button('Create a key').first().click();
    await dialog().getByLabel('Label').fill('Till');
    await dialog().getByLabel('Budget of a month').fill('100');
    await dialog().getByRole('button', { name: 'Create', exact: true }).click();
    const keySecret = (await page.getByLabel('Secret', { exact: true }).textContent())!.trim();
    secrets.push(keySecret);
    await button('I have stored it').click();
    await page.getByText('$0.00 of $100.00').waitFor();
    const byKey = await fetch(`${gateway}/api/overview`, { headers: { 'x-api-key': keySecret } });
    expect(await byKey.json()).toMatchObject({ totalPayments: 1 });

    await visit('Webhooks');
    await button('paylink.paid').click();
    await dialog().getByText('Delivered').waitFor();
    const deliveries = () => received.filter((body) => body.includes('paylink.paid')).length;
    const before = deliveries();
    await dialog().getByRole('button', { name: 'Replay' }).click();
    await eventually(() => expect(deliveries()).toBe(before + 1), { timeoutMs: 10_000 });
    await button('Close').click();

    await button('Sign out').click();
    await button('Sign in as the demo merchant').waitFor();
    const headers = { authorization: `Bearer ${token}`, 'x-wallet': wallet.address };
    await eventually(async () =>
      expect((await fetch(`${gateway}/api/overview`, { headers })).status).toBe(401),
    );
    expect(faults).toEqual([]);
    server.close();
  }, 120_000);

  it('signs in the demo merchant with one click, and shows a payment with its timeline', async () => {
    const { gateway, payer } = harness();
    const { body: created } = await payer.createOrder();
    await payer.pay(created);
    await open(gateway);
    await signInAsDemo();
    await visit('Transactions');
    await page.getByLabel('Search').fill(created.order_id);
    await page.getByRole('link', { name: 'Order of demo-merchant' }).first().click();
    await page.getByText('Payment seen on the chain').waitFor();
    await page.getByText(/^After /).waitFor();
    expect(faults).toEqual([]);
  }, 60_000);

  it.each(['light', 'dark'] as const)(
    'has pages without violations of WCAG 2.2 AA that fit a phone, %s',
    async (colorScheme) => {
      const { gateway } = harness();
      await open(gateway, { viewport: { width: 390, height: 844 }, colorScheme });
      await page.goto(url());
      await button('Sign in as the demo merchant').waitFor();
      expect(await violations()).toEqual([]);
      await signInAsDemo();
      for (const [path, title] of pages) {
        await page.goto(url(path));
        await heading(title).waitFor();
        await page.waitForLoadState('networkidle');
        const fits = await page.evaluate('document.documentElement.scrollWidth <= window.innerWidth');
        expect([title, fits, await violations()]).toEqual([title, true, []]);
      }
      expect(faults).toEqual([]);
    },
    120_000,
  );

  it('is used by keyboard: the menu opens, leads to a page, and returns the focus', async () => {
    const { gateway } = harness();
    await open(gateway, { viewport: { width: 390, height: 844 } });
    await signInAsDemo();
    await button('Menu').focus();
    await page.keyboard.press('Enter');
    await dialog().getByRole('link', { name: 'PayLinks' }).focus();
    await page.keyboard.press('Enter');
    await heading('PayLinks').waitFor();
    await button('Menu').focus();
    await page.keyboard.press('Enter');
    await dialog().waitFor();
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'detached' });
    const focused = 'document.activeElement.textContent';
    await eventually(async () => expect(await page.evaluate(focused)).toBe('Menu'));
  }, 60_000);
}
