import type { Browser } from 'playwright-core';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { eventually } from '@tollbridge/testing';
import { chromiumPath } from './browser';
import { PayerPage } from './checkout/browser';
import type { Api } from './http';
import { repository } from './harness';

const sizes = [
  ['phone', 390],
  ['desktop', 1_280],
] as const;

/**
 * Limits of the largest paint of the checkout on a phone with slow 4G: for the network alone, and with its processor.
 */
const [networkPaintMs, largestPaintMs] = [1_000, 2_000];
/** Other work of this machine can only delay a paint: one of these measurements must be within the limits. */
const measurements = 3;
/** Limits of the total script size and the layout shift of the page. */
const [scriptBytes, layoutShift] = [30_000, 0.02];

async function lighthouseOf(url: string): Promise<Record<string, number>> {
  const args = [join(repository, 'e2e/lighthouse.mjs'), chromiumPath(), url];
  const { stdout } = await promisify(execFile)(process.execPath, args, { encoding: 'utf8' });
  return JSON.parse(stdout) as Record<string, number>;
}

/** The first figures with paints within the limits, or the last. */
async function figuresOf(url: string): Promise<Record<string, number>> {
  let figures = await lighthouseOf(url);
  const isLate = () => figures.networkPaintMs! >= networkPaintMs || figures.largestPaintMs! >= largestPaintMs;
  for (let done = 1; done < measurements && isLate(); done++) figures = await lighthouseOf(url);
  return figures;
}

/** Appearance and load time of the pages, in a real browser. */
export function looksCases(given: () => { api: Api; browser: Browser }): void {
  const form = (path: string, fields: Record<string, string>) =>
    fetch(given().api.url + path, {
      method: 'POST',
      redirect: 'manual',
      headers: { 'sec-fetch-site': 'same-origin' },
      body: new URLSearchParams(fields),
    });
  const request = async (): Promise<string> => {
    const asked = { amount: '2500000', currency: 'USDC', chain: 'base', description: 'Tea' };
    const { body } = await given().api.post('/api/v1/merchant/payment-requests', asked);
    return `/checkout/${body.id}`;
  };
  /** Creates an expired payment, and returns the path of its page. */
  const expired = async (): Promise<string> => {
    const chosen = await form(`${await request()}/pay`, { from_token: 'USDC', from_chain: 'eip155:8453' });
    const path = chosen.headers.get('location')!;
    await form(`${path}/sandbox`, { action: 'expire' });
    await eventually(async () =>
      expect(await (await fetch(given().api.url + path)).text()).toContain('No payment arrived in time.'),
    );
    return path;
  };
  const payLink = async (): Promise<string> => {
    const { body: sandbox } = await given().api.get('/sandbox');
    const link = {
      name: 'Tea',
      amount: '1000000',
      token: 'USDC',
      network: 'eip155:8453',
      description: 'Green',
    };
    const receiver = { receiveAddress: sandbox.merchant.wallet };
    const { body } = await given().api.post('/api/paylinks', { ...link, ...receiver });
    return `/l/${body.id}`;
  };

  const pages: [string, () => string | Promise<string>][] = [
    ['expired', expired],
    ['paylink', payLink],
    ['landing', () => '/'],
    ['guides', () => '/guides'],
    ['guide', () => '/guides/pay'],
    ['reference', () => '/docs'],
    ['reference-group', () => '/docs/orders'],
    ['no-such-page', () => '/nothing'],
    ['no-such-request', () => '/checkout/0198f3a2-7c5e-7d41-9a55-3f0e2c1b4a6d'],
  ];
  it.each(pages)(
    'the page %s matches the approved screenshots of a phone and a desktop, and is accessible',
    async (name, pathOf) => {
      const it = await PayerPage.open(given().browser, given().api.url, { status: 404 });
      await it.page.goto(given().api.url + (await pathOf()));
      for (const [size, width] of sizes) {
        await it.page.setViewportSize({ width, height: 844 });
        expect(await it.page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
        await it.expectAccessible();
        await it.page.emulateMedia({ colorScheme: 'light' });
        await it.screenshot(`${name}-${size}`);
      }
      await it.close();
    },
  );

  it('the checkout paints in under a second with slow 4G, and nothing moves when its script runs', async () => {
    const figures = await figuresOf(given().api.url + (await request()));
    expect(figures.networkPaintMs).toBeLessThan(networkPaintMs);
    expect(figures.largestPaintMs).toBeLessThan(largestPaintMs);
    // With wallets on other devices: the module replaces their rows.
    expect(figures.shift).toBeLessThan(layoutShift);
    expect(figures.scriptBytes).toBeLessThan(scriptBytes);
  }, 480_000);

  guideCases(given);
}

function guideCases(given: () => { api: Api; browser: Browser }): void {
  it('a guide has a copy button on every code block, and links to its neighbours and to all guides', async () => {
    const it = await PayerPage.open(given().browser, given().api.url);
    const { page } = it;
    await page.goto(`${given().api.url}/guides/shop`);
    const blocks = page.locator('.code');
    expect(await blocks.count()).toBeGreaterThan(5);
    expect(await page.locator('.code .copy').count()).toBe(await blocks.count());
    await blocks.first().getByRole('button', { name: 'Copy' }).click();
    await blocks.first().getByRole('button', { name: 'Copied' }).waitFor();
    const copied = await page.evaluate('navigator.clipboard.readText()');
    expect(copied).toBe((await blocks.first().locator('pre').textContent())!.trimEnd());
    await page.locator('a[rel=next]').click();
    expect(new URL(page.url()).pathname).toBe('/guides/prices');
    // On a phone a button opens the list.
    const list = page.getByRole('navigation', { name: 'Guides', exact: true });
    expect(await list.isVisible()).toBe(false);
    await page.getByRole('button', { name: 'All guides' }).click();
    await it.expectAccessible();
    await list.getByRole('link', { name: 'Glossary' }).click();
    expect(new URL(page.url()).pathname).toBe('/guides/glossary');
    expect(it.problems).toEqual([]);
    await it.close();
  });
}
