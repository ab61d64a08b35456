import type { DeploymentEntry } from '@tollbridge/chains';
import type { SandboxAccount } from '@tollbridge/contracts';
import { base58 } from '@scure/base';
import { ed25519 } from '@noble/curves/ed25519';
import type { LocalNetwork } from '../networks/local-network';
import { payProgram, sandboxSolanaKey, solanaRoles } from './genesis';

// Fewer confirmations than finality needs on a cluster, so that examples settle within seconds.
const [confirmations, pollIntervalMs] = [8, 400];

/** The local Solana network, with the registry's tokens at their real addresses and the payment program. */
export const localSolana: LocalNetwork = {
  async entry(simulatorsUrl: string): Promise<DeploymentEntry> {
    return {
      chain: 'solana',
      rpcUrls: [`${simulatorsUrl}/solana`],
      payContract: payProgram.address,
      confirmations,
      pollIntervalMs,
    };
  },

  async accounts(): Promise<SandboxAccount[]> {
    return solanaRoles.map((role) => {
      const { address, secretKey } = sandboxSolanaKey(role);
      // The format that wallets import: seed and public key in base58.
      const privateKey = base58.encode(Uint8Array.from([...secretKey, ...ed25519.getPublicKey(secretKey)]));
      return { role, address, privateKey };
    });
  },
};
