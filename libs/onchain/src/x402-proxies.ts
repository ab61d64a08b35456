import { ContractFactory, type JsonRpcApiProvider, type Signer } from 'ethers';
import {
  sandboxX402ExactProxyAbi,
  sandboxX402ExactProxyCreationCode,
} from './generated/sandbox-x402-exact-proxy';
import {
  sandboxX402UptoProxyAbi,
  sandboxX402UptoProxyCreationCode,
} from './generated/sandbox-x402-upto-proxy';
import { mined } from './mined';
import { deployPermit2 } from './permit2';

/** Addresses of the x402 proxies of Permit2 on every EVM chain. */
export const X402_EXACT_PROXY_ADDRESS = '0x402085c248EeA27D92E8b30b2C58ed07f9E20001';
export const X402_UPTO_PROXY_ADDRESS = '0x4020A4f3b7b90ccA423B9fabCc0CE57C6C240002';

const proxies = [
  {
    at: X402_EXACT_PROXY_ADDRESS,
    abi: sandboxX402ExactProxyAbi,
    code: sandboxX402ExactProxyCreationCode,
  },
  { at: X402_UPTO_PROXY_ADDRESS, abi: sandboxX402UptoProxyAbi, code: sandboxX402UptoProxyCreationCode },
];

/**
 * Puts Permit2 and stand-ins of the x402 proxies at their usual addresses on a local node, unless they exist.
 * Idempotent.
 */
export async function deployX402Proxies(signer: Signer): Promise<void> {
  await deployPermit2(signer);
  const provider = signer.provider as JsonRpcApiProvider;
  for (const { at, abi, code } of proxies) {
    if ((await provider.getCode(at)) !== '0x') continue;
    const contract = await new ContractFactory(abi, code, signer).deploy();
    await mined(contract.deploymentTransaction()!);
    const runtime = await provider.getCode(await contract.getAddress());
    await provider.send('anvil_setCode', [at, runtime]);
  }
}
