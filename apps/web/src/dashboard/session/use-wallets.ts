import { useEffect, useState } from 'react';
import { discoverWallets } from '../../wallets/discover-wallets';
import { idOf, type Eip1193, type FoundWallet } from '../../wallets/providers';

/** The wallets of this browser, of all families. */
export function useWallets(): readonly FoundWallet[] {
  const [wallets, setWallets] = useState<readonly FoundWallet[]>([]);
  useEffect(
    () =>
      discoverWallets((found) =>
        setWallets((known) => (known.some((it) => idOf(it) === idOf(found)) ? known : [...known, found])),
      ),
    [],
  );
  return wallets;
}

/** The first EVM wallet of this browser; undefined without one. */
export function useEvmProvider(): Eip1193 | undefined {
  return useWallets().find((wallet) => wallet.kind === 'evm')?.provider;
}
