import { eventually } from '@tollbridge/testing';
import type { Browser, Page } from 'playwright-core';
import { pageTimeoutMs } from '../browser';
import type { TonPayer } from '../ton-payer';
import type { EvmWallet } from './evm-wallet';
import { Relay } from './relay';
import { pairRemoteWallet, type RemoteEvmWallet } from './remote-evm-wallet';
import { openTonWallet, TonBridge } from './ton-bridge';

/** The servers between a page and a wallet on another device. */
export class RemoteServers {
  private constructor(
    readonly relay: Relay,
    readonly bridge: TonBridge,
  ) {}

  static async open(ports: { relay?: number; bridge?: number } = {}): Promise<RemoteServers> {
    return new RemoteServers(await Relay.open(ports.relay), await TonBridge.open(ports.bridge));
  }

  /** Settings of the gateway. */
  get settings(): Record<string, string> {
    return {
      GATEWAY_WALLETCONNECT_PROJECT_ID: 'local',
      GATEWAY_WALLETCONNECT_RELAY_URL: this.relay.url,
      GATEWAY_TON_WALLETS: `Pocket https://wallet.example/ton-connect ${this.bridge.url}`,
    };
  }

  close(): void {
    this.relay.close();
    this.bridge.close();
  }
}

interface Given {
  url: string;
  remote: RemoteServers;
  browser: Browser;
  evmWallet(): Promise<EvmWallet>;
  tonPayer(): Promise<TonPayer>;
  ask(): Promise<string>;
  askOnTon(): Promise<string>;
}

/** Opens a page that may contact this server and one other server. */
async function openPage({ browser, url }: Given, path: string, other: string) {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 } });
  context.setDefaultTimeout(pageTimeoutMs);
  const faults: string[] = [];
  context.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
  context.on('weberror', (error) => faults.push(String(error.error())));
  context.on('request', (request) => {
    const isKnown = [url, other].some((known) => request.url().startsWith(known));
    if (!isKnown && !request.url().startsWith('data:')) faults.push(request.url());
  });
  const page = await context.newPage();
  page.on('websocket', (socket) => socket.url().startsWith(other) || faults.push(socket.url()));
  await page.goto(url + path);
  const finish = async (): Promise<void> => {
    await context.close();
    expect(faults).toEqual([]);
  };
  return { page, finish };
}

async function chooseOption(page: Page, token: string, chain: string): Promise<void> {
  await page.locator(`.option[data-token="${token}"][data-chain="${chain}"] button`).click();
  // The previous page, with the options, also contains the wallets.
  await page.locator('.review').waitFor({ state: 'attached' });
}

/** The link in the QR code that the wallet scans. */
async function linkOf(page: Page): Promise<string> {
  await page.locator('#wallet-link .code svg').waitFor();
  return (await page.locator('#wallet-link a').getAttribute('href'))!;
}

async function payOverRelay(given: Given): Promise<void> {
  const { remote, evmWallet, ask } = given;
  const [wallet, path] = await Promise.all([evmWallet(), ask()]);
  const { page, finish } = await openPage(given, path, remote.relay.url);
  await chooseOption(page, 'USDC', 'eip155:8453');
  await page.getByRole('button', { name: 'WalletConnect' }).click();
  const remoteWallet = await pairRemoteWallet(remote.relay.url, await linkOf(page), wallet.accounts[0]!);
  await page.locator('#pay-now').click();
  await page.getByText('Paid.').waitFor();
  expect(await page.locator('#wallet-link').isVisible()).toBe(false);
  await expectDeleted(remoteWallet);
  wallet.close();
  await finish();
}

/** Expects that the page has deleted the only session. */
async function expectDeleted(wallet: RemoteEvmWallet): Promise<void> {
  await eventually(() => expect([wallet.deleted.length, wallet.sessions()]).toEqual([1, 0]));
  wallet.leave();
}

/** Connects without paying. */
async function leaveAfterConnecting(given: Given): Promise<void> {
  const { remote, evmWallet, ask } = given;
  const [wallet, path] = await Promise.all([evmWallet(), ask()]);
  const { page, finish } = await openPage(given, path, remote.relay.url);
  await page.getByRole('button', { name: 'WalletConnect' }).click();
  const [account] = wallet.accounts;
  const remoteWallet = await pairRemoteWallet(remote.relay.url, await linkOf(page), account!);
  await page.getByText('From your wallet').waitFor();
  await page.locator('.languages summary').click();
  await page.getByRole('link', { name: 'Deutsch' }).click();
  await page.waitForURL('**lang=de**');
  await page.getByRole('button', { name: account!.address.slice(0, 6) }).waitFor();
  expect([remoteWallet.deleted.length, remoteWallet.sessions()]).toEqual([0, 1]);
  await page.goto('about:blank');
  await expectDeleted(remoteWallet);
  wallet.close();
  await finish();
}

async function payOverBridge(given: Given): Promise<void> {
  const { remote, tonPayer, askOnTon } = given;
  const [payer, path] = await Promise.all([tonPayer(), askOnTon()]);
  const { page, finish } = await openPage(given, path, remote.bridge.url);
  await chooseOption(page, 'USDT', 'ton');
  await page.getByRole('button', { name: 'Pocket' }).click();
  const leave = await openTonWallet(remote.bridge.url, await linkOf(page), payer);
  await page.locator('#pay-now').click();
  await page.getByText('Paid.').waitFor();
  leave();
  await finish();
}

/** Payers with a wallet on another device. */
export function remoteCases(given: () => Given): void {
  it('pays over the relay of WalletConnect, and over a bridge of TON Connect', async () => {
    await Promise.all([payOverRelay(given()), payOverBridge(given())]);
  });

  it('keeps the session of WalletConnect on other pages of the checkout, and deletes it when the payer leaves', () =>
    leaveAfterConnecting(given()));
}
