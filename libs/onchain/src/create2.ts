import { setTimeout as sleep } from 'node:timers/promises';
import { concat, isError, type Provider, type Signer } from 'ethers';
import { mined } from './mined';

/** Arachnid's deterministic deployment proxy. It has this address on nearly every EVM chain. */
export const create2Factory = '0x4e59b44847b379578588920cA78FbF26c0B4956C';

/** Nodes behind a load balancer are rarely more than a few blocks apart. */
const visibleWithinMs = 10_000;
const lookEveryMs = 100;

export interface FactoryContract {
  name: string;
  salt: string;
  initCode: string;
  /** Address derived from factory, salt and init code. */
  address: string;
}

/**
 * Deploys a contract unless it exists. Idempotent, even for concurrent calls.
 * @returns whether this call deployed it
 */
export async function deployByFactory(signer: Signer, contract: FactoryContract): Promise<boolean> {
  const { provider } = signer;
  if (!provider) throw new Error(`The signer needs a provider to deploy ${contract.name}`);
  return !(await hasCode(provider, contract.address)) && createContract(signer, provider, contract);
}

/** Deploys the contract. Returns false if another deployer created it in the meantime. */
async function createContract(
  signer: Signer,
  provider: Provider,
  { salt, initCode, address }: FactoryContract,
): Promise<boolean> {
  if (!(await hasCode(provider, create2Factory))) {
    const { chainId } = await provider.getNetwork();
    throw new Error(
      `Chain ${chainId} has no CREATE2 factory at ${create2Factory}; deploy it there first ` +
        '(https://github.com/Arachnid/deterministic-deployment-proxy)',
    );
  }
  try {
    const transaction = await signer.sendTransaction({ to: create2Factory, data: concat([salt, initCode]) });
    await mined(transaction);
    return true;
  } catch (error) {
    // The factory reverts if the contract exists already. Then another deployer has created it, which is not an error.
    if (isError(error, 'CALL_EXCEPTION') && (await codeOnceVisible(provider, address)) !== '0x') return false;
    throw error;
  }
}

/**
 * Waits a limited time for the contract's code and returns it. The queried node can lag behind the node that accepted
 * the transaction, and ethers caches a response for 250 ms.
 */
export async function codeOnceVisible(provider: Provider, address: string): Promise<string> {
  const lastLookAtMs = Date.now() + visibleWithinMs;
  for (;;) {
    const code = await provider.getCode(address);
    if (code !== '0x' || Date.now() >= lastLookAtMs) return code;
    await sleep(lookEveryMs);
  }
}

async function hasCode(provider: Provider, address: string): Promise<boolean> {
  return (await provider.getCode(address)) !== '0x';
}
