import { setTimeout as sleep } from 'node:timers/promises';
import { concat, getCreate2Address, id, isError, keccak256, type Provider, type Signer } from 'ethers';
import { tollbridgePayCreationCode, tollbridgePayRuntimeHash } from './generated/tollbridge-pay';
import { mined } from './mined';

/** Arachnid's deterministic deployment proxy: at this address on nearly every EVM chain. */
export const CREATE2_FACTORY = '0x4e59b44847b379578588920cA78FbF26c0B4956C';

/** Nodes behind one load balancer are rarely more than a few blocks apart. */
const VISIBLE_WITHIN_MS = 10_000;
const LOOK_EVERY_MS = 100;

const SALT = id('tollbridge/TollbridgePay');

/** The contract's address on every EVM chain: it follows from the factory, the salt and the bytecode alone. */
export const tollbridgePayAddress = getCreate2Address(
  CREATE2_FACTORY,
  SALT,
  keccak256(tollbridgePayCreationCode),
);

export interface TollbridgePayDeployment {
  address: string;
  /** False when the contract was there before. */
  deployed: boolean;
}

/** Deploys TollbridgePay unless it is there, and verifies its code in both cases. Safe to repeat and to race. */
export async function deployTollbridgePay(signer: Signer): Promise<TollbridgePayDeployment> {
  const { provider } = signer;
  if (!provider) throw new Error('The signer needs a provider to deploy TollbridgePay');

  const deployed =
    !(await hasCode(provider, tollbridgePayAddress)) && (await createContract(signer, provider));
  await requireExpectedCode(provider);
  return { address: tollbridgePayAddress, deployed };
}

/** Returns false when somebody else deployed the contract in the meantime. */
async function createContract(signer: Signer, provider: Provider): Promise<boolean> {
  if (!(await hasCode(provider, CREATE2_FACTORY))) {
    const { chainId } = await provider.getNetwork();
    throw new Error(
      `Chain ${chainId} has no CREATE2 factory at ${CREATE2_FACTORY}; deploy it there first ` +
        '(https://github.com/Arachnid/deterministic-deployment-proxy)',
    );
  }
  try {
    const data = concat([SALT, tollbridgePayCreationCode]);
    const transaction = await signer.sendTransaction({ to: CREATE2_FACTORY, data });
    await mined(transaction);
    return true;
  } catch (error) {
    // The factory reverts when the address is taken: then another deployer was faster, which is as good.
    if (isError(error, 'CALL_EXCEPTION') && (await codeOnceVisible(provider)) !== '0x') return false;
    throw error;
  }
}

async function requireExpectedCode(provider: Provider): Promise<void> {
  const actualHash = keccak256(await codeOnceVisible(provider));
  if (actualHash !== tollbridgePayRuntimeHash) {
    throw new Error(
      `The code at ${tollbridgePayAddress} is not TollbridgePay: hash ${actualHash}, expected ${tollbridgePayRuntimeHash}`,
    );
  }
}

/**
 * Waits for the contract, up to a bound: the node that is asked can be behind the one that took the transaction, and
 * ethers repeats an answer of the last 250 ms.
 */
async function codeOnceVisible(provider: Provider): Promise<string> {
  const lastLookAtMs = Date.now() + VISIBLE_WITHIN_MS;
  for (;;) {
    const code = await provider.getCode(tollbridgePayAddress);
    if (code !== '0x' || Date.now() >= lastLookAtMs) return code;
    await sleep(LOOK_EVERY_MS);
  }
}

async function hasCode(provider: Provider, address: string): Promise<boolean> {
  return (await provider.getCode(address)) !== '0x';
}
