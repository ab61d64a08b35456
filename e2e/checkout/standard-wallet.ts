import type { Page } from 'playwright-core';

interface ShownWallet {
  name: string;
  chain: string;
  address: string;
}

/**
 * Installs a wallet in a page. It registers itself by the Wallet Standard.
 * @param features runs in the page, so it cannot use values of this process; returns the wallet's features besides
 * connecting
 */
export async function installStandardWallet(
  page: Page,
  wallet: ShownWallet,
  features: () => object,
): Promise<void> {
  // A string, because a function cannot be an argument of another function in the page.
  await page.addInitScript(`(${register})(${JSON.stringify(wallet)}, (${features})())`);
}

function register({ name, chain, address }: ShownWallet, features: object): void {
  const chains = [chain];
  const wallet = {
    version: '1.0.0',
    name,
    icon: 'data:image/svg+xml,%3Csvg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/%3E',
    chains,
    accounts: [] as unknown[],
    features: {
      'standard:connect': {
        version: '1.0.0',
        connect: async () => {
          wallet.accounts = [{ address, publicKey: new Uint8Array(32), chains, features: [] }];
          return { accounts: wallet.accounts };
        },
      },
      ...features,
    },
  };
  const callback = (page: { register(wallet: unknown): void }) => page.register(wallet);
  const { dispatchEvent, addEventListener } = globalThis as any;
  dispatchEvent(new CustomEvent('wallet-standard:register-wallet', { detail: callback }));
  addEventListener('wallet-standard:app-ready', ({ detail }: { detail: never }) => callback(detail));
}
