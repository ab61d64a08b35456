import { rpc } from '../pay/evm-chain';
import { fail, ok, warn, type Finding } from './finding';

export interface CheckedChain {
  name: string;
  chainId: number;
  payContract: string;
}

/** If the newest block is older, the chain has halted or its node lags. */
const oldestBlockSeconds = 300;

/** Checks a node of an EVM chain: its chain, the age of its head, and the payment contract. */
export async function checkNode(
  { name, chainId, payContract }: CheckedChain,
  nodeUrl: string,
  { isLocal, nowMs = Date.now() }: { isLocal: boolean; nowMs?: number },
): Promise<Finding> {
  const check = `node of ${name}`;
  // A URL may contain the key of the node provider, so only the host is printed.
  const host = new URL(nodeUrl).host;
  try {
    const [id, block, code] = await Promise.all([
      rpc<string>(nodeUrl, 'eth_chainId', []),
      rpc<{ number: string; timestamp: string } | null>(nodeUrl, 'eth_getBlockByNumber', ['latest', false]),
      rpc<string>(nodeUrl, 'eth_getCode', [payContract, 'latest']),
    ]);
    if (Number(id) !== chainId)
      return fail(check, `${host} is of chain ${Number(id)}, not ${chainId}`, 'Correct the URL of the node.');
    if (code === '0x')
      return fail(
        check,
        `no payment contract at ${payContract}`,
        'Deploy it: node libs/onchain/scripts/deploy.mjs <rpc url>',
      );
    const ageS = Math.round(nowMs / 1_000 - Number(block?.timestamp ?? 0));
    const height = `${host}, block ${Number(block?.number ?? 0)}, payment contract deployed`;
    if (!isLocal && ageS > oldestBlockSeconds)
      return warn(
        check,
        `${host}: the last block is ${ageS} s old`,
        'Compare it with another node of the chain.',
      );
    return ok(check, height);
  } catch {
    return fail(check, `${host} does not answer`, 'Check the URL, the key in it, and the network.');
  }
}
