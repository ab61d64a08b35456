import { getWallets } from '@wallet-standard/app';
import { pageData } from '../page';
import { evmWallet, type Eip1193 } from './evm';
import { remoteWallets } from './remote';
import { walletsOf, type StandardWallet } from './standard';
import { tonWallet, type TonBridge } from './ton';
import { tronWallet, type TronProvider } from './tron';
import type { Wallet } from './wallet';

interface Announced<Provider> {
  info: { uuid: string; rdns?: string; name: string; icon: string };
  provider: Provider;
}

// Wallets announce themselves at once; those without an announcement have put their object into the page by then.
const settledMs = 400;

/** Finds the wallets of this browser, and adds those on other devices. @param found called for each, also for those that arrive later */
export function discover(found: (wallet: Wallet) => void): void {
  announcements<Eip1193>('eip6963', ({ info, provider }) =>
    found(evmWallet({ ...info, uuid: info.rdns ?? info.uuid }, provider)),
  );
  announcements<TronProvider>('TIP6963', ({ info, provider }) =>
    found(tronWallet({ ...info, uuid: info.rdns ?? info.uuid }, provider)),
  );
  const { get, on } = getWallets();
  const add = (wallets: readonly unknown[]): void => {
    for (const wallet of wallets) for (const it of walletsOf(wallet as StandardWallet)) found(it);
  };
  add(get());
  on('register', (...wallets) => add(wallets));
  for (const wallet of remoteWallets(pageData()?.remote ?? {})) found(wallet);
  setTimeout(() => withoutAnnouncement(found), settledMs);
}

/** EIP-6963, which TIP-6963 repeats for Tron. */
function announcements<Provider>(prefix: string, add: (announced: Announced<Provider>) => void): void {
  window.addEventListener(`${prefix}:announceProvider`, (event) =>
    add((event as CustomEvent<Announced<Provider>>).detail),
  );
  window.dispatchEvent(new Event(`${prefix}:requestProvider`));
}

/** Wallets that only set an object of `window`. A wallet that has announced itself replaces its own. */
function withoutAnnouncement(found: (wallet: Wallet) => void): void {
  const page = window as unknown as Record<string, any>;
  if (page['ethereum'])
    found(evmWallet({ uuid: 'window', name: 'Browser wallet', icon: null }, page['ethereum']));
  if (page['tron']) found(tronWallet({ uuid: 'window', name: 'Tron wallet', icon: null }, page['tron']));
  for (const key of Object.keys(page)) {
    const bridge = bridgeIn(page, key);
    if (bridge) found(tonWallet(key, bridge));
  }
}

function bridgeIn(page: Record<string, any>, key: string): TonBridge | undefined {
  try {
    const bridge = page[key]?.tonconnect;
    return typeof bridge?.connect === 'function' ? bridge : undefined;
  } catch {
    // Some properties of a window throw when they are read.
    return undefined;
  }
}
