import { discoverWallets } from '../../wallets/discover-wallets';
import type { FoundWallet, WalletInfo } from '../../wallets/providers';
import { pageData } from '../page';
import { evmWallet } from './evm';
import { remoteWallets } from './remote';
import { walletsOf } from './standard';
import { tonWallet } from './ton';
import { tronWallet } from './tron';
import type { Wallet } from './wallet';

/**
 * Finds the wallets of this browser, and adds the wallets on other devices.
 * @param found called for each wallet, including later ones
 */
export function discover(found: (wallet: Wallet) => void): void {
  discoverWallets((it) => {
    for (const wallet of payingWallets(it)) found(wallet);
  });
  for (const wallet of remoteWallets(pageData()?.remote ?? {})) found(wallet);
}

function payingWallets(found: FoundWallet): Wallet[] {
  switch (found.kind) {
    case 'evm':
      return [evmWallet(lasting(found.info), found.provider)];
    case 'tron':
      return [tronWallet(lasting(found.info), found.provider)];
    case 'standard':
      return walletsOf(found.wallet);
    case 'ton':
      return [tonWallet(found.key, found.bridge)];
  }
}

/** Prefers the `rdns` of a wallet as its id, because a `uuid` changes with each load of a page. */
const lasting = (info: WalletInfo): WalletInfo => ({ ...info, uuid: info.rdns ?? info.uuid });
