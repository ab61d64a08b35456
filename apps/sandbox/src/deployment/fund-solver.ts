import type { SandboxAccount, SandboxToken } from '@tollbridge/contracts';
import { sandboxTokenAt, wrappedEtherAt } from '@tollbridge/onchain';
import {
  Contract,
  NonceManager,
  parseEther,
  parseUnits,
  toQuantity,
  Wallet,
  type JsonRpcProvider,
  type Signer,
} from 'ethers';

// Far more than all swaps need, so that no test fails because the solver has no funds.
const tokenFunds = '1000000000000';
const wrappedFunds = '100000000';
const coinFunds = '1000000000';
// The balance is refilled when less than half of it is left.
const enoughShare = 2n;

export interface SolverFunding {
  provider: JsonRpcProvider;
  /** The signer that mints the tokens. */
  deployer: Signer;
  solver: Pick<SandboxAccount, 'address' | 'privateKey'>;
  tokens: readonly SandboxToken[];
}

/** Funds the account that pays out cross-chain swaps. Idempotent. */
export async function fundSolver({ provider, deployer, solver, tokens }: SolverFunding): Promise<void> {
  const coins = parseEther(coinFunds);
  if ((await provider.getBalance(solver.address)) < coins / enoughShare)
    await provider.send('anvil_setBalance', [solver.address, toQuantity(coins)]);
  const wallet = new NonceManager(new Wallet(solver.privateKey, provider));
  for (const { symbol, address, decimals } of tokens) {
    if (address === null) continue;
    const isWrapped = symbol === 'WETH';
    const funds = parseUnits(isWrapped ? wrappedFunds : tokenFunds, decimals);
    const held = await balanceOf(provider, address, solver.address);
    if (held >= funds / enoughShare) continue;
    const token = isWrapped ? wrappedEtherAt(wallet, address) : sandboxTokenAt(deployer, address);
    await token.mint(solver.address, funds);
  }
}

async function balanceOf(provider: JsonRpcProvider, token: string, owner: string): Promise<bigint> {
  const abi = ['function balanceOf(address account) view returns (uint256)'];
  return (await new Contract(token, abi, provider).getFunction('balanceOf').staticCall(owner)) as bigint;
}
