import { readAccount, type RawAccount } from './accounts';

/** A TON network and its names. */
export interface Network {
  /** Name in the protocol's specification. */
  name: 'ton-mainnet' | 'ton-testnet';
  /** CAIP-2 identifier, used by x402. */
  caip2: 'tvm:-239' | 'tvm:-3';
  /** Global id of the network in TON. It is part of signed messages. */
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

/** Finds a network by any of its names. */
export const readNetwork = (name: string): Network | undefined => namesOfNetworks.get(name);

/** The jetton of payments. */
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

/** Whether the value is this asset's symbol or its master address in any form. */
export const isAsset = (name: string, asset: Asset): boolean =>
  name === asset.symbol || name === asset.master || readAccount(name) === asset.master;
