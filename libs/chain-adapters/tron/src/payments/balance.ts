import { UnreadableReply } from '@tollbridge/http';
import { RpcError, type EvmReads } from '@tollbridge/evm';
import { Interface } from 'ethers';
import { logAddress } from './conversions';

const trc20 = new Interface(['function balanceOf(address owner) view returns (uint256)']);
const wordForm = /^0x[0-9a-f]{64}$/;

/**
 * Returns an account's balance of a token, or of the coin if the address is null. Addresses are base58.
 * @throws RpcError
 */
export async function readBalance(reads: EvmReads, account: string, token: string | null): Promise<bigint> {
  const owner = logAddress(account);
  if (token === null) {
    const balance = await reads.call('eth_getBalance', [owner, 'latest']);
    if (typeof balance === 'string' && /^0x[0-9a-f]{1,16}$/i.test(balance)) return BigInt(balance);
    throw unreadable(reads, 'eth_getBalance');
  }
  const data = trc20.encodeFunctionData('balanceOf', [owner]);
  // The sender is required, because a node rejects the call without it.
  const balance = await reads.ethCall({ from: owner, to: logAddress(token), data });
  if (!wordForm.test(balance)) throw unreadable(reads, 'balanceOf');
  return BigInt(balance);
}

const unreadable = ({ label }: EvmReads, field: string): RpcError =>
  new RpcError({
    kind: 'badReply',
    reason: 'malformed',
    endpoint: label,
    text: new UnreadableReply(`${field} is malformed`).message,
  });
