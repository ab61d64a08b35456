import type { SandboxReply } from '@tollbridge/sdk';
import { checkNode } from './check-chains';
import type { Finding } from './finding';

/** Checks the local nodes of a sandbox and their contracts. */
export async function* checkSandbox({ chains }: SandboxReply): AsyncGenerator<Finding> {
  for (const { caip2: name, chainId, payContract, rpcUrl } of chains)
    yield await checkNode({ name, chainId, payContract }, rpcUrl, { isLocal: true });
}
