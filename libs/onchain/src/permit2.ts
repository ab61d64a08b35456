import { readFileSync } from 'node:fs';
import { dataSlice, keccak256, type JsonRpcApiProvider, type Signer } from 'ethers';

/** Where Permit2 stands on nearly every EVM chain. */
export const PERMIT2_ADDRESS = '0x000000000022D473030F116dDEE9F6B43aC78BA3';

// The authors' package holds the code within a script that puts it at its address: here it begins, and so long it is.
const [codeStart, codeLength] = [0x1e4, 0x23c0];
const codeHash = '0xa1ad0529565c25202190d4ae7f75d4ca08dc432cc760544ee7d0313b68e82ecd';

/**
 * Puts Permit2 at its usual address on a local node, unless it is there. The code is that of Ethereum's, which finds the
 * chain that it is on by itself. Safe to repeat.
 */
export async function deployPermit2(signer: Signer): Promise<void> {
  const provider = signer.provider as JsonRpcApiProvider | null;
  if (!provider) throw new Error('The signer needs a provider to deploy Permit2');
  if ((await provider.getCode(PERMIT2_ADDRESS)) !== '0x') return;
  await provider.send('anvil_setCode', [PERMIT2_ADDRESS, runtimeCode()]);
}

/** Read when needed: the package serves only local nodes and is not installed in production. */
function runtimeCode(): string {
  const path = require.resolve('@uniswap/v4-periphery/foundry-out/DeployPermit2.sol/DeployPermit2.json');
  const { deployedBytecode } = JSON.parse(readFileSync(path, 'utf8')) as {
    deployedBytecode: { object: string };
  };
  const code = dataSlice(deployedBytecode.object, codeStart, codeStart + codeLength);
  if (keccak256(code) !== codeHash) throw new Error(`${path} does not hold the code of Permit2`);
  return code;
}
