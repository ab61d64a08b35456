import { AbiCoder, concat, getCreate2Address, id, keccak256, type Provider, type Signer } from 'ethers';
import { codeOnceVisible, CREATE2_FACTORY, deployByFactory } from './create2';
import { tollbridgePayoutsCreationCode } from './generated/tollbridge-payouts';
import { PERMIT2_ADDRESS } from './permit2';

const SALT = id('tollbridge/TollbridgePayouts');

export interface TollbridgePayoutsDeployment {
  address: string;
  /** False when the contract existed before. */
  deployed: boolean;
}

const initCodeOf = (feeRecipient: string): string =>
  concat([tollbridgePayoutsCreationCode, AbiCoder.defaultAbiCoder().encode(['address'], [feeRecipient])]);

/** The contract's address on every EVM chain, derived from the bytecode and the fee recipient. */
export function tollbridgePayoutsAddress(feeRecipient: string): string {
  return getCreate2Address(CREATE2_FACTORY, SALT, keccak256(initCodeOf(feeRecipient)));
}

/**
 * Deploys TollbridgePayouts unless it exists. Idempotent, also concurrently. Code at the address is the contract,
 * because the address is derived from it.
 * @throws Error when the chain has no Permit2, which payouts require
 */
export async function deployTollbridgePayouts(
  signer: Signer,
  feeRecipient: string,
): Promise<TollbridgePayoutsDeployment> {
  const address = tollbridgePayoutsAddress(feeRecipient);
  const contract = { name: 'TollbridgePayouts', salt: SALT, initCode: initCodeOf(feeRecipient), address };
  await requirePermit2(signer.provider);
  const deployed = await deployByFactory(signer, contract);
  if ((await codeOnceVisible(signer.provider!, address)) === '0x')
    throw new Error(`There is no code at ${address} after the deployment of TollbridgePayouts`);
  return { address, deployed };
}

async function requirePermit2(provider: Provider | null): Promise<void> {
  if (provider && (await provider.getCode(PERMIT2_ADDRESS)) === '0x')
    throw new Error(`There is no Permit2 at ${PERMIT2_ADDRESS}; TollbridgePayouts requires it`);
}
