import type { LocalNetwork } from '../networks/local-network';
import { genesisAccounts, tronGenesis } from './genesis';

// Blocks come every second while something happens: one poll a block.
const confirmations = 3;
const pollIntervalMs = 1_000;

/** The local Tron network as the services and its users see it. */
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
