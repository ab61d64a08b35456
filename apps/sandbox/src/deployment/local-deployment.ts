import type { SandboxAccount, SandboxMerchant, SandboxToken } from '@tollbridge/contracts';
import type { AcrossContracts, UniswapDeployment } from '@tollbridge/local-contracts';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';

export interface DeployedChain {
  caip2: string;
  chainId: number;
  rpcUrl: string;
  payContract: string;
  /** Address of the contract. Its fees go to the account with the role `fee_receiver`. */
  payoutContract: string;
  tokens: SandboxToken[];
  uniswapV3: UniswapDeployment;
  /** The solver is the owner and the relayer. */
  across: AcrossContracts;
}

/** Contracts and accounts of the local chains; stored in `SANDBOX_WORLD_FILE`. */
export interface LocalDeployment {
  chains: DeployedChain[];
  accounts: SandboxAccount[];
  merchant: SandboxMerchant;
}

/** Returns the account that acts as the solver of cross-chain swaps. */
export function solverOf({ accounts }: LocalDeployment): SandboxAccount {
  return accounts.find(({ role }) => role === 'solver')!;
}

export function readDeployment(path: string): LocalDeployment {
  return JSON.parse(readFileSync(path, 'utf8')) as LocalDeployment;
}

/**
 * Replaces the file atomically, so that a reader never sees a partial file. Only this user can read it, because it
 * contains private keys.
 */
export function writePrivateFile(path: string, content: unknown): void {
  const draft = `${path}.${process.pid}.draft`;
  writeFileSync(draft, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
  renameSync(draft, path);
}
