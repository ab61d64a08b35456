import { findChain, type DeploymentEntry } from '@tollbridge/chains';
import type { SandboxAccount } from '@tollbridge/contracts';
import type { LocalNetwork } from '../networks/local-network';
import { genesisAccounts, payContract } from './genesis';

/** The local Sui network, which is derived from constants. */
export const localSui: LocalNetwork = {
  async entry(simulatorsUrl: string): Promise<DeploymentEntry> {
    const { packageId, registryId, registryVersion } = payContract;
    const { tokens } = findChain('sui')!;
    return {
      chain: 'sui',
      rpcUrls: [`${simulatorsUrl}/sui/graphql`],
      payContract: packageId,
      payRegistry: { id: registryId, version: Number(registryVersion) },
      startHeight: 0,
      tokens: tokens.map(({ symbol, address, decimals, name }) => ({ symbol, address, decimals, name })),
    };
  },

  async accounts(): Promise<SandboxAccount[]> {
    return genesisAccounts.map((account) => ({ ...account }));
  },
};
