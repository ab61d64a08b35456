import { useEffect, useState } from 'react';

/** The part of EIP-1193 that signing in needs. */
export interface Provider {
  request(call: { method: string; params?: unknown[] }): Promise<unknown>;
}

export interface InjectedWallet {
  id: string;
  name: string;
  /** A `data:` URL of an image; undefined without a usable one. */
  icon?: string | undefined;
  provider: Provider;
}

interface Announced {
  info: { uuid: string; name: string; icon?: unknown };
  provider: Provider;
}

const dataImage = /^data:image\/(png|jpeg|webp|gif|svg\+xml)[;,]/;
const longestIcon = 256 * 1024;

/** EIP-6963 permits `data:` URLs only: an image of another site would learn who signs in. */
export const iconOf = (icon: unknown): string | undefined =>
  typeof icon === 'string' && icon.length <= longestIcon && dataImage.test(icon) ? icon : undefined;

/** Wallets that announce themselves (EIP-6963); the single `window.ethereum` of older ones. */
export function useInjectedWallets(): InjectedWallet[] {
  const [wallets, setWallets] = useState<InjectedWallet[]>([]);
  useEffect(() => {
    const add = (event: Event): void => {
      const { info, provider } = (event as CustomEvent<Announced>).detail;
      const name = String(info.name).slice(0, 64);
      const wallet = { id: info.uuid, name, icon: iconOf(info.icon), provider };
      setWallets((known) => (known.some(({ id }) => id === wallet.id) ? known : [...known, wallet]));
    };
    window.addEventListener('eip6963:announceProvider', add);
    window.dispatchEvent(new Event('eip6963:requestProvider'));
    return () => window.removeEventListener('eip6963:announceProvider', add);
  }, []);
  const { ethereum } = window as { ethereum?: Provider };
  if (wallets.length > 0 || !ethereum) return wallets;
  return [{ id: 'window.ethereum', name: 'Browser wallet', provider: ethereum }];
}

/** EIP-1193: the user rejected the request. */
export const isRejectedByUser = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && (error as { code?: unknown }).code === 4001;
