import type { RemoteWallets } from '../page';
import { evmWallet } from './evm';
import type { Wallet } from './wallet';

/**
 * Wallets on other devices. Their code is loaded by the first click, so a page without that click makes no request to
 * their servers.
 */
export function remoteWallets({ walletConnect, ton = [] }: RemoteWallets): Wallet[] {
  const wallets = ton.map((terms) =>
    lazily({ id: `ton remote ${terms.name}`, name: terms.name, family: 'ton' }, async (show) => {
      const { tonRemoteWallet } = await import('./ton-remote');
      return tonRemoteWallet(terms, show);
    }),
  );
  if (!walletConnect) return wallets;
  const name = 'WalletConnect';
  const id = 'walletconnect';
  return [
    ...wallets,
    lazily({ id: `evm ${id}`, name, family: 'evm' }, async (show) => {
      const { walletConnectProvider } = await import('./wallet-connect');
      return evmWallet({ uuid: id, name, icon: null }, await walletConnectProvider(walletConnect, show));
    }),
  ];
}

type Shown = Pick<Wallet, 'id' | 'name' | 'family'>;

/** @param open creates the wallet, which shows a link for the other device */
function lazily(shown: Shown, open: (show: (link: string) => void) => Promise<Wallet>): Wallet {
  let opened: Promise<Wallet> | undefined;
  let showLink: (link: string) => void = () => undefined;
  const load = (): Promise<Wallet> => {
    opened ??= open((link) => showLink(link));
    // The next click retries a failed load.
    opened.catch(() => (opened = undefined));
    return opened;
  };
  return {
    ...shown,
    icon: null,
    isRemote: true,
    async connect(silently, show = () => undefined) {
      showLink = show;
      return (await load()).connect(silently);
    },
    onSwitch: (listener) => void load().then((wallet) => wallet.onSwitch?.(listener)),
    pay: async (payable, address, report) => (await load()).pay(payable, address, report),
  };
}
