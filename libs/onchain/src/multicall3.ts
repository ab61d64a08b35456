import type { JsonRpcApiProvider, Signer } from 'ethers';
import { multicall3CreationCode } from './generated/multicall3';

/** Address of Multicall3 on nearly every EVM chain. Local nodes use the same address. */
export const multicall3Address = '0xcA11bde05977b3631167028862bE2a173976CA11';

/**
 * Deploys Multicall3 to its usual address on a local node, unless it exists. The address is derived from its author's
 * key, so the node sets the code directly. Idempotent.
 */
export async function deployMulticall3(signer: Signer): Promise<void> {
  const provider = signer.provider as JsonRpcApiProvider | null;
  if (!provider) throw new Error('The signer needs a provider to deploy Multicall3');
  if ((await provider.getCode(multicall3Address)) !== '0x') return;
  // The call of a creation returns the code of the contract.
  const code = await provider.call({ data: multicall3CreationCode });
  await provider.send('anvil_setCode', [multicall3Address, code]);
}
