import { AbiCoder, concat, getCreate2Address, id, keccak256, type Provider, type Signer } from 'ethers';
import { codeOnceVisible, create2Factory, deployByFactory } from './create2';
import { tollbridgePayoutsCreationCode } from './generated/tollbridge-payouts';
import { permit2Address } from './permit2';

const deploymentSalt = id('tollbridge/TollbridgePayouts');

export interface TollbridgePayoutsDeployment {
  address: string;
  /** False if the contract existed before. */
  deployed: boolean;
}

const initCodeOf = (feeRecipient: string): string =>
  concat([tollbridgePayoutsCreationCode, AbiCoder.defaultAbiCoder().encode(['address'], [feeRecipient])]);

/** Returns the contract's address on every EVM chain, which is derived from the bytecode and the fee recipient. */
export function tollbridgePayoutsAddress(feeRecipient: string): string {
  return getCreate2Address(create2Factory, deploymentSalt, keccak256(initCodeOf(feeRecipient)));
}

/**
 * Deploys TollbridgePayouts unless it exists. Idempotent, even for concurrent calls. Any code at the address is this
 * contract, because the address is derived from the code.
 * @throws Error if the chain has no Permit2, which payouts require
 */
export async function deployTollbridgePayouts(
  signer: Signer,
  feeRecipient: string,
): Promise<TollbridgePayoutsDeployment> {
  const address = tollbridgePayoutsAddress(feeRecipient);
  const contract = {
    name: 'TollbridgePayouts',
    salt: deploymentSalt,
    initCode: initCodeOf(feeRecipient),
    address,
  };
  await requirePermit2(signer.provider);
  const deployed = await deployByFactory(signer, contract);
  if ((await codeOnceVisible(signer.provider!, address)) === '0x')
    throw new Error(`There is no code at ${address} after the deployment of TollbridgePayouts`);
  return { address, deployed };
}

async function requirePermit2(provider: Provider | null): Promise<void> {
  if (provider && (await provider.getCode(permit2Address)) === '0x')
    throw new Error(`There is no Permit2 at ${permit2Address}; TollbridgePayouts requires it`);
}
