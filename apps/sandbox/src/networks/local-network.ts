import type { DeploymentEntry } from '@tollbridge/chains';
import type { SandboxAccount } from '@tollbridge/contracts';

/**
 * A local network of a family other than EVM. It is derived from constants, so every sandbox has the same addresses.
 */
export interface LocalNetwork {
  /**
   * The network's entry in `CHAINS_FILE`.
   * @param simulatorsUrl base URL of the simulators for the services
   */
  entry(simulatorsUrl: string): Promise<DeploymentEntry>;
  /**
   * Accounts with initial coins and tokens, in the roles of the EVM accounts. The keys are in the format of wallets.
   */
  accounts(): Promise<SandboxAccount[]>;
}
