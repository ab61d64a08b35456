import type { SandboxAccount, SandboxMerchant, SandboxToken } from '@tollbridge/contracts';
import type { AcrossContracts, UniswapDeployment } from '@tollbridge/local-contracts';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';

export interface DeployedChain {
  caip2: string;
  chainId: number;
  rpcUrl: string;
  payContract: string;
  /** Its fees go to the account with the role `fee_receiver`. */
  payoutContract: string;
  tokens: SandboxToken[];
  uniswapV3: UniswapDeployment;
  /** The solver is its owner, and its relayer. */
  across: AcrossContracts;
}

/** What was deployed on the local chains; kept in `SANDBOX_WORLD_FILE`. */
export interface LocalDeployment {
  chains: DeployedChain[];
  accounts: SandboxAccount[];
  merchant: SandboxMerchant;
}

/** The account of the world that stands for all solvers of cross-chain swaps. */
export function solverOf({ accounts }: LocalDeployment): SandboxAccount {
  return accounts.find(({ role }) => role === 'solver')!;
}

export function readDeployment(path: string): LocalDeployment {
  return JSON.parse(readFileSync(path, 'utf8')) as LocalDeployment;
}

/** Replaces the file at once, so that a reader never sees half of it; private keys are for this user's eyes only. */
export function writePrivateFile(path: string, content: unknown): void {
  const draft = `${path}.${process.pid}.draft`;
  writeFileSync(draft, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
  renameSync(draft, path);
}
