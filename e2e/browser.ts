import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';

const flags = [
  '--headless=new',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Debian's Chromium with a new profile. */
export const openBrowser = (): Promise<Browser> =>
  chromium.launch({ executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium', args: flags });

/** Records what a page must not do: errors, violations of its policy, requests to other hosts. */
export function watch(
  context: BrowserContext,
  origin: string,
  isExpected: (text: string, url: string) => boolean,
): string[] {
  const faults: string[] = [];
  context.on('console', (message) => {
    if (message.type() === 'error' && !isExpected(message.text(), message.location().url))
      faults.push(message.text());
  });
  context.on('weberror', (error) => faults.push(String(error.error())));
  context.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(`${origin}/`) && !/^(data|blob):/.test(url)) faults.push(`request to ${url}`);
  });
  return faults;
}

// Text, since it runs in the page.
const announcement = `
  const provider = { request: ({ method, params = [] }) => window.requestOfTestWallet(method, params) };
  const info = { uuid: '0198f3a2-7c5e-7d41-9a55-3f0e2c1b4a6d', name: 'Test Wallet', icon: '', rdns: 'test' };
  const detail = Object.freeze({ info, provider });
  const announce = () => window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }));
  window.addEventListener('eip6963:requestProvider', announce);
  announce();
`;

/** The account of a test wallet. */
interface Signer {
  address: string;
  signMessage(message: Uint8Array): Promise<string>;
}

/** Puts a wallet into a page, which announces itself (EIP-6963) and signs in this process. */
export async function installWallet(page: Page, wallet: Signer): Promise<void> {
  await page.exposeFunction('requestOfTestWallet', async (method: string, params: string[]) => {
    if (method === 'eth_requestAccounts') return [wallet.address];
    if (method === 'eth_chainId') return '0x2105';
    if (method === 'personal_sign') return wallet.signMessage(Buffer.from(params[0]!.slice(2), 'hex'));
    throw new Error(`the test wallet has no ${method}`);
  });
  await page.addInitScript(announcement);
}
