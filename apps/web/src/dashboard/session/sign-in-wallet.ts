import { idOf, type FoundWallet } from '../../wallets/providers';
import { proveByEvm, proveBySolana, proveByTon, type RequestChallenge } from './proofs';

/** A wallet that can sign in. */
export interface SignInWallet {
  id: string;
  name: string;
  /** The account differs by family, so a wallet with two families is listed twice. */
  family: 'EVM' | 'Solana' | 'TON';
  /** A `data:` URL of an image; undefined without a usable one. */
  icon: string | undefined;
  /**
   * Connects and signs a challenge.
   * @returns the body of `POST /dashboard/session`
   * @throws the error of the wallet, also when the merchant declines
   */
  prove(requestChallenge: RequestChallenge): Promise<object>;
}

const dataImage = /^data:image\/(png|jpeg|webp|gif|svg\+xml)[;,]/;
const longestIcon = 256 * 1024;
const longestName = 64;

/** EIP-6963 permits `data:` URLs only. An image of another site would reveal to it who signs in. */
export const iconOf = (icon: unknown): string | undefined =>
  typeof icon === 'string' && icon.length <= longestIcon && dataImage.test(icon) ? icon : undefined;

/** Undefined for wallets that cannot sign in, because the API has no scheme for Tron and Sui. */
export function signInWallet(found: FoundWallet): SignInWallet | undefined {
  const id = idOf(found);
  switch (found.kind) {
    case 'evm': {
      const { info, provider } = found;
      return { id, ...shown(info.name, info.icon), family: 'EVM', prove: (ask) => proveByEvm(provider, ask) };
    }
    case 'standard': {
      const { wallet } = found;
      if (!wallet.features['solana:signMessage']) return undefined;
      const { name, icon } = wallet;
      return { id, ...shown(name, icon), family: 'Solana', prove: (ask) => proveBySolana(wallet, ask) };
    }
    case 'ton': {
      const { bridge, key } = found;
      const { name = key, image } = bridge.walletInfo ?? {};
      return { id, ...shown(name, image), family: 'TON', prove: (ask) => proveByTon(bridge, ask) };
    }
    case 'tron':
      return undefined;
  }
}

/** The wallet chooses both values, so they are not trusted. */
const shown = (name: unknown, icon: unknown) => ({
  name: String(name).slice(0, longestName),
  icon: iconOf(icon),
});
