import type { JsonRpcApiProvider, Signer } from 'ethers';
import { permit2RuntimeCode } from './generated/permit2';

/** Address of Permit2 on nearly every EVM chain. */
export const permit2Address = '0x000000000022D473030F116dDEE9F6B43aC78BA3';

/**
 * Deploys Permit2 to its usual address on a local node, unless it exists. The code is that of Ethereum and reads the
 * chain id itself. Idempotent.
 */
export async function deployPermit2(signer: Signer): Promise<void> {
  const provider = signer.provider as JsonRpcApiProvider | null;
  if (!provider) throw new Error('The signer needs a provider to deploy Permit2');
  if ((await provider.getCode(permit2Address)) !== '0x') return;
  await provider.send('anvil_setCode', [permit2Address, permit2RuntimeCode]);
}
