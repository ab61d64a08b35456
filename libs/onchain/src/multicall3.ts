import type { JsonRpcApiProvider, Signer } from 'ethers';
import { multicall3CreationCode } from './generated/multicall3';

/** Where Multicall3 stands on nearly every EVM chain, and therefore on local nodes. */
export const MULTICALL3_ADDRESS = '0xcA11bde05977b3631167028862bE2a173976CA11';

/**
 * Puts Multicall3 at its usual address on a local node, unless it is there. Its address follows from its author's key,
 * so on a local node the code is put there by decree. Safe to repeat.
 */
export async function deployMulticall3(signer: Signer): Promise<void> {
  const provider = signer.provider as JsonRpcApiProvider | null;
  if (!provider) throw new Error('The signer needs a provider to deploy Multicall3');
  if ((await provider.getCode(MULTICALL3_ADDRESS)) !== '0x') return;
  // What a creation returns is the code of the contract.
  const code = await provider.call({ data: multicall3CreationCode });
  await provider.send('anvil_setCode', [MULTICALL3_ADDRESS, code]);
}
