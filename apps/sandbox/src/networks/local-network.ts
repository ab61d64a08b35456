import type { DeploymentEntry } from '@tollbridge/chains';
import type { SandboxAccount } from '@tollbridge/contracts';

/** A local network of a family other than EVM, derived from constants: every sandbox has the same addresses. */
export interface LocalNetwork {
  /**
   * The network's entry in `CHAINS_FILE`.
   * @param simulatorsUrl base URL of the simulators, as the services reach them
   */
  entry(simulatorsUrl: string): Promise<DeploymentEntry>;
  /** Accounts with coins and tokens from the start, in the roles of the EVM accounts. Keys as wallets import them. */
  accounts(): Promise<SandboxAccount[]>;
}
