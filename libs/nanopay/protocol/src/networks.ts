import { readAccount, type RawAccount } from './accounts';

/** A network of TON under the names that it has in the wild. */
export interface Network {
  /** As in the specification's documents. */
  name: 'ton-mainnet' | 'ton-testnet';
  /** As x402 wants it: CAIP-2. */
  caip2: 'tvm:-239' | 'tvm:-3';
  /** TON's own number of the network, which is signed. */
  globalId: -239 | -3;
}

export const mainnet: Network = { name: 'ton-mainnet', caip2: 'tvm:-239', globalId: -239 };
export const testnet: Network = { name: 'ton-testnet', caip2: 'tvm:-3', globalId: -3 };

const namesOfNetworks = new Map<string, Network>(
  [mainnet, testnet].flatMap((network) =>
    [network.name, network.caip2, network.caip2.replace('tvm', 'ton'), network.name.replace('-', ':')].map(
      (name) => [name, network] as const,
    ),
  ),
);

/** The network of that name, by any spelling in use. */
export const readNetwork = (name: string): Network | undefined => namesOfNetworks.get(name);

/** A jetton that payments are made in. */
export interface Asset {
  symbol: string;
  master: RawAccount;
  decimals: number;
}

export const usdt: Asset = {
  symbol: 'USDT',
  master: '0:b113a994b5024a16719f69139328eb759596c38a25f59028b146fecdc3621dfe',
  decimals: 6,
};

/** Whether a name of an asset in a document means this one: its symbol, or its master in any form. */
export const isAsset = (name: string, asset: Asset): boolean =>
  name === asset.symbol || name === asset.master || readAccount(name) === asset.master;
