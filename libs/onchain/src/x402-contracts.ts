import { ContractFactory, type JsonRpcApiProvider, type Signer } from 'ethers';
import {
  sandboxErc3009CollectorAbi,
  sandboxErc3009CollectorCreationCode,
} from './generated/sandbox-erc3009-collector';
import {
  sandboxPermit2CollectorAbi,
  sandboxPermit2CollectorCreationCode,
} from './generated/sandbox-permit2-collector';
import {
  sandboxX402BatchSettlementAbi,
  sandboxX402BatchSettlementCreationCode,
} from './generated/sandbox-x402-batch-settlement';
import {
  sandboxX402ExactProxyAbi,
  sandboxX402ExactProxyCreationCode,
} from './generated/sandbox-x402-exact-proxy';
import {
  sandboxX402UptoProxyAbi,
  sandboxX402UptoProxyCreationCode,
} from './generated/sandbox-x402-upto-proxy';
import { mined } from './mined';
import { deployMulticall3 } from './multicall3';
import { deployPermit2 } from './permit2';

/** Addresses of x402's Permit2 proxies on every EVM chain. */
export const x402ExactProxyAddress = '0x402085c248EeA27D92E8b30b2C58ed07f9E20001';
export const x402UptoProxyAddress = '0x4020A4f3b7b90ccA423B9fabCc0CE57C6C240002';

/** Addresses of the contracts for the scheme `batch-settlement` on every EVM chain. */
export const x402BatchSettlementAddress = '0x4020074e9dF2ce1deE5A9C1b5c3f541D02a10003';
export const x402Erc3009CollectorAddress = '0x4020806089470a89826cB9fB1f4059150b550004';
export const x402Permit2CollectorAddress = '0x4020425FAf3B746C082C2f942b4E5159887B0005';

const contracts = [
  {
    at: x402ExactProxyAddress,
    abi: sandboxX402ExactProxyAbi,
    code: sandboxX402ExactProxyCreationCode,
  },
  { at: x402UptoProxyAddress, abi: sandboxX402UptoProxyAbi, code: sandboxX402UptoProxyCreationCode },
  {
    at: x402BatchSettlementAddress,
    abi: sandboxX402BatchSettlementAbi,
    code: sandboxX402BatchSettlementCreationCode,
  },
  {
    at: x402Erc3009CollectorAddress,
    abi: sandboxErc3009CollectorAbi,
    code: sandboxErc3009CollectorCreationCode,
  },
  {
    at: x402Permit2CollectorAddress,
    abi: sandboxPermit2CollectorAbi,
    code: sandboxPermit2CollectorCreationCode,
  },
];

/**
 * Deploys Permit2, Multicall3 and substitutes of the x402 contracts to their usual addresses on a local node, unless
 * they exist. Idempotent.
 */
export async function deployX402Contracts(signer: Signer): Promise<void> {
  await deployPermit2(signer);
  await deployMulticall3(signer);
  const provider = signer.provider as JsonRpcApiProvider;
  for (const { at, abi, code } of contracts) {
    if ((await provider.getCode(at)) !== '0x') continue;
    const contract = await new ContractFactory(abi, code, signer).deploy();
    await mined(contract.deploymentTransaction()!);
    const runtime = await provider.getCode(await contract.getAddress());
    await provider.send('anvil_setCode', [at, runtime]);
  }
}
