import axe from 'axe-core';
import { execFileSync } from 'node:child_process';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';
import { repository } from './harness';

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

/**
 * Time limit of a step on a page while another file starts its environment. Shorter than the limit of a test, so that
 * the failure shows the step.
 */
export const pageTimeoutMs = 90_000;

/** The path of Chromium. Installs Chromium if it is missing. */
export function chromiumPath(): string {
  const program = `import('./tools/local/server-programs.mjs')
    .then(({ ensurePrograms }) => ensurePrograms(['chromium'], () => undefined))
    .then(([path]) => process.stdout.write(path));`;
  return execFileSync(process.execPath, ['-e', program], { cwd: repository, encoding: 'utf8' });
}

/** A real Chromium with a new profile. */
export async function openChromium(): Promise<Browser> {
  return chromium.launch({ executablePath: chromiumPath(), args: flags });
}

interface Watch {
  /** True if the case causes this console error. */
  isExpected?: (text: string, url: string) => boolean;
  /** Schemes of requests that do not leave the browser. */
  localSchemes?: readonly string[];
}

/** Records forbidden events of a page: errors, violations of its policy, requests to other hosts. */
export function watch(
  context: BrowserContext,
  origin: string,
  { isExpected = () => false, localSchemes = ['data'] }: Watch = {},
): string[] {
  const faults: string[] = [];
  context.on('console', (message) => {
    const { url } = message.location();
    if (message.type() === 'error' && !isExpected(message.text(), url))
      faults.push(`${message.text()} ${url}`);
  });
  context.on('weberror', (error) => faults.push(String(error.error())));
  context.on('request', (request) => {
    const url = request.url();
    const isLocal = localSchemes.some((scheme) => url.startsWith(`${scheme}:`));
    if (!url.startsWith(`${origin}/`) && !isLocal) faults.push(`request to ${url}`);
  });
  return faults;
}

/** Violations of WCAG 2.2 AA and of good practice, as found by axe. */
export async function accessibilityProblems(page: Page): Promise<string[]> {
  // The page's policy does not apply to an evaluation by the debugger.
  await page.evaluate(axe.source);
  const tags = JSON.stringify(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']);
  const { violations } = (await page.evaluate(`axe.run({ runOnly: ${tags} })`)) as axe.AxeResults;
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`);
}

// A string, because it runs in the page.
const announcement = `
  const provider = { request: ({ method, params = [] }) => window.requestOfTestWallet(method, params) };
  const icon = 'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg"/>';
  const info = { uuid: '0198f3a2-7c5e-7d41-9a55-3f0e2c1b4a6d', name: 'Test Wallet', icon, rdns: 'test' };
  const detail = Object.freeze({ info, provider });
  const announce = () => window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }));
  window.addEventListener('eip6963:requestProvider', announce);
  announce();
`;

/** The account of a test wallet. */
interface Signer {
  address: string;
  signMessage(message: Uint8Array): Promise<string>;
  signTypedData(domain: object, types: Record<string, any>, message: object): Promise<string>;
}

/** Installs a wallet in a page. It announces itself (EIP-6963) and signs in this process. */
export async function installWallet(page: Page, wallet: Signer): Promise<void> {
  await page.exposeFunction('requestOfTestWallet', async (method: string, params: string[]) => {
    if (method === 'eth_requestAccounts') return [wallet.address];
    if (method === 'eth_chainId') return '0x2105';
    if (method === 'personal_sign') return wallet.signMessage(Buffer.from(params[0]!.slice(2), 'hex'));
    if (method === 'eth_signTypedData_v4') {
      const { domain, types, message } = JSON.parse(params[1]!);
      const { EIP712Domain: _, ...own } = types;
      return wallet.signTypedData(domain, own, message);
    }
    throw new Error(`the test wallet has no ${method}`);
  });
  await page.addInitScript(announcement);
}
