import { getWallets } from '@wallet-standard/app';
import type { Eip1193, FoundWallet, StandardWallet, TonBridge, TronProvider, WalletInfo } from './providers';

interface Announced<Provider> {
  info: WalletInfo;
  provider: Provider;
}

// Wallets announce themselves immediately. Wallets without an announcement have set their object in the page by then.
const settledMs = 400;

/**
 * Finds the wallets of this browser.
 * @param found called for each wallet, including later ones, and again for repeated announcements
 * @returns a function that ends the search
 */
export function discoverWallets(found: (wallet: FoundWallet) => void): () => void {
  const announced = new Set<FoundWallet['kind']>();
  const add = (wallet: FoundWallet): void => {
    announced.add(wallet.kind);
    found(wallet);
  };
  const stops = [
    announcements<Eip1193>('eip6963', (detail) => add({ kind: 'evm', ...detail })),
    announcements<TronProvider>('TIP6963', (detail) => add({ kind: 'tron', ...detail })),
    registrations((wallet) => add({ kind: 'standard', wallet })),
  ];
  const timer = setTimeout(() => withoutAnnouncement(announced, found), settledMs);
  return () => {
    clearTimeout(timer);
    for (const stop of stops) stop();
  };
}

/** Finds wallets by EIP-6963, and for Tron by TIP-6963, which has the same events. */
function announcements<Provider>(prefix: string, add: (announced: Announced<Provider>) => void): () => void {
  const listen = (event: Event): void => add((event as CustomEvent<Announced<Provider>>).detail);
  window.addEventListener(`${prefix}:announceProvider`, listen);
  window.dispatchEvent(new Event(`${prefix}:requestProvider`));
  return () => window.removeEventListener(`${prefix}:announceProvider`, listen);
}

/** Finds wallets of Solana and Sui (Wallet Standard). */
function registrations(add: (wallet: StandardWallet) => void): () => void {
  const { get, on } = getWallets();
  const addAll = (wallets: readonly unknown[]): void => {
    for (const wallet of wallets) add(wallet as StandardWallet);
  };
  addAll(get());
  return on('register', (...wallets) => addAll(wallets));
}

/** Finds wallets that only set an object of `window`. Wallets that announce themselves set the same object. */
function withoutAnnouncement(
  announced: ReadonlySet<FoundWallet['kind']>,
  found: (wallet: FoundWallet) => void,
): void {
  const page = window as unknown as Record<string, any>;
  const info = (name: string): WalletInfo => ({ uuid: 'window', name, icon: null });
  const { ethereum, tron } = page;
  if (ethereum && !announced.has('evm'))
    found({ kind: 'evm', info: info('Browser wallet'), provider: ethereum });
  if (tron && !announced.has('tron')) found({ kind: 'tron', info: info('Tron wallet'), provider: tron });
  for (const key of Object.keys(page)) {
    const bridge = bridgeIn(page, key);
    if (bridge) found({ kind: 'ton', key, bridge });
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
