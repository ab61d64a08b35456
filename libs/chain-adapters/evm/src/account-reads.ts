// Reads the state of accounts, and estimates the gas of their calls.
import { dataLength, Interface } from 'ethers';
import type { EvmReads } from './evm-reads';
import { revertReason } from './revert-reason';
import { RpcError } from './rpc-error';
import type { EvmRpc } from './rpc-pool';

/** Maximum gas limit of a transaction (EIP-7825). */
export const maxTransactionGas = 16_777_216n;

const quantityForm = /^0x[0-9a-f]{1,12}$/i;
const tagOf = (at: number | 'latest'): string => (at === 'latest' ? at : `0x${at.toString(16)}`);

/** Returns an account's transaction count as of a block. @throws RpcError */
export async function minedCount(rpc: EvmRpc, account: string, at: number | 'latest'): Promise<number> {
  const count = await rpc.call('eth_getTransactionCount', [account, tagOf(at)]);
  if (typeof count !== 'string' || !quantityForm.test(count))
    throw unreadable('a transaction count is not a number');
  return Number(count);
}

/** Returns an account's balance in wei as of a block. @throws RpcError */
export async function coinBalance(
  rpc: Pick<EvmReads, 'call'>,
  account: string,
  at: number | 'latest',
): Promise<bigint> {
  const balance = await rpc.call('eth_getBalance', [account, tagOf(at)]);
  if (typeof balance !== 'string' || !/^0x[0-9a-f]{1,64}$/i.test(balance))
    throw unreadable('a balance is not a number');
  return BigInt(balance);
}

const erc20 = new Interface(['function balanceOf(address owner) view returns (uint256)']);

/** Returns an account's balance of a token as of a block, or of the coin if the address is null. @throws RpcError */
export async function tokenBalance(
  rpc: EvmRpc,
  account: string,
  tokenAddress: string | null,
  at: number | 'latest',
): Promise<bigint> {
  if (tokenAddress === null) return coinBalance(rpc, account, at);
  const data = erc20.encodeFunctionData('balanceOf', [account]);
  const balance = await rpc.ethCall({ to: tokenAddress, data }, at);
  if (dataLength(balance) !== 32) throw unreadable('a balance is not a 32-byte number');
  return BigInt(balance);
}

/** Returns the code of an account in hexadecimal, or `0x` for an account without code. @throws RpcError */
export async function codeOf(rpc: EvmRpc, account: string): Promise<string> {
  const code = await rpc.call('eth_getCode', [account, 'latest']);
  if (typeof code !== 'string' || !/^0x([0-9a-f]{2})*$/i.test(code)) throw unreadable('a code is not hex');
  return code.toLowerCase();
}

export type Tried = { gasUnits: bigint } | { reason: string };

/** Returns the gas that a call needs, or the reason of its revert. @throws RpcError when the chain does not answer */
export async function estimateGas(
  rpc: EvmRpc,
  call: { from: string; to: string; data: string; valueAtomic?: bigint },
): Promise<Tried> {
  const { valueAtomic, ...asked } = call;
  const value = valueAtomic === undefined ? {} : { value: `0x${valueAtomic.toString(16)}` };
  try {
    const gas = await rpc.call('eth_estimateGas', [{ ...asked, ...value }]);
    if (typeof gas !== 'string' || !quantityForm.test(gas))
      throw unreadable('a gas estimate is not a number');
    return { gasUnits: BigInt(gas) };
  } catch (error) {
    if (!(error instanceof RpcError) || error.kind !== 'rejected') throw error;
    return { reason: revertReason(typeof error.data === 'string' ? error.data : '0x') };
  }
}

const unreadable = (text: string): RpcError =>
  new RpcError({ kind: 'badReply', reason: 'malformed', endpoint: 'node', text });
