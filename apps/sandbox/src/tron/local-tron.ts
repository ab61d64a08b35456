import type { LocalNetwork } from '../networks/local-network';
import { genesisAccounts, tronGenesis } from './genesis';

// With transactions, blocks are mined every second, so one poll per block is enough.
const confirmations = 3;
const pollIntervalMs = 1_000;

/** The local Tron network for services and users. */
export const localTron: LocalNetwork = {
  async entry(simulatorsUrl) {
    const { payContract, usdt } = tronGenesis();
    return {
      chain: 'tron',
      rpcUrls: [`${simulatorsUrl}/tron`],
      payContract,
      startHeight: 0,
      confirmations,
      pollIntervalMs,
      tokens: [
        { symbol: 'TRX', address: null, decimals: 6 },
        { symbol: 'USDT', address: usdt, decimals: 6 },
      ],
    };
  },
  async accounts() {
    return genesisAccounts.map(({ role, address, privateKey }) => ({ role, address, privateKey }));
  },
};
