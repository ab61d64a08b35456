import { getCreate2Address, id, keccak256, type Provider, type Signer } from 'ethers';
import { codeOnceVisible, create2Factory, deployByFactory } from './create2';
import { tollbridgePayCreationCode, tollbridgePayRuntimeHash } from './generated/tollbridge-pay';

const deploymentSalt = id('tollbridge/TollbridgePay');

/** The contract's address on every EVM chain. Only the factory, the salt and the bytecode determine it. */
export const tollbridgePayAddress = getCreate2Address(
  create2Factory,
  deploymentSalt,
  keccak256(tollbridgePayCreationCode),
);

export interface TollbridgePayDeployment {
  address: string;
  /** False if the contract existed before. */
  deployed: boolean;
}

/**
 * Deploys TollbridgePay unless it exists, and verifies its code in both cases. Idempotent, even for concurrent calls.
 */
export async function deployTollbridgePay(signer: Signer): Promise<TollbridgePayDeployment> {
  const deployed = await deployByFactory(signer, {
    name: 'TollbridgePay',
    salt: deploymentSalt,
    initCode: tollbridgePayCreationCode,
    address: tollbridgePayAddress,
  });
  await requireExpectedCode(signer.provider!);
  return { address: tollbridgePayAddress, deployed };
}

async function requireExpectedCode(provider: Provider): Promise<void> {
  const actualHash = keccak256(await codeOnceVisible(provider, tollbridgePayAddress));
  if (actualHash !== tollbridgePayRuntimeHash) {
    throw new Error(
      `The code at ${tollbridgePayAddress} is not TollbridgePay: hash ${actualHash}, expected ${tollbridgePayRuntimeHash}`,
    );
  }
}
