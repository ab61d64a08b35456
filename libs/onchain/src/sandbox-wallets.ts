import { concat, Contract, ContractFactory, getCreate2Address, id, keccak256, type Signer } from 'ethers';
import { create2Factory } from './create2';
import { sandboxWalletAbi, sandboxWalletCreationCode } from './generated/sandbox-wallet';
import { mined } from './mined';

/** Behaviours in the order of the contract's enum. */
export const walletHabits = [
  'plain',
  'answersOtherwise',
  'reverts',
  'loops',
  'deploys',
  'writes',
  'answersMuch',
  'revertsWithMuch',
  'echoes',
  'answersTooShort',
  'answersWithMore',
  'acceptsTrials',
  'acceptsOnceTouched',
] as const;
export type WalletHabit = (typeof walletHabits)[number];

/** Deploys a contract wallet with one owner to a local node. */
export async function deploySandboxWallet(
  signer: Signer,
  owner: string,
  habit: WalletHabit = 'plain',
): Promise<Contract> {
  const factory = new ContractFactory(sandboxWalletAbi, sandboxWalletCreationCode, signer);
  const wallet = await factory.deploy(owner, walletHabits.indexOf(habit));
  await mined(wallet.deploymentTransaction()!);
  return wallet as Contract;
}

/** Returns the future address of such a wallet, and the CREATE2 factory call that deploys it. */
export async function sandboxWalletCreation(
  owner: string,
  habit: WalletHabit = 'plain',
): Promise<{ address: string; factory: string; factoryCall: string }> {
  const { data } = await new ContractFactory(
    sandboxWalletAbi,
    sandboxWalletCreationCode,
  ).getDeployTransaction(owner, walletHabits.indexOf(habit));
  const salt = id('tollbridge/SandboxWallet');
  const address = getCreate2Address(create2Factory, salt, keccak256(data));
  return { address, factory: create2Factory, factoryCall: concat([salt, data]) };
}
