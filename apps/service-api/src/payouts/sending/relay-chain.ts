// Reads the chain for payouts.
import {
  estimateGas,
  maxTransactionGas,
  revertReason,
  RpcError,
  simulateCalls,
  type EvmRpc,
  type Tried,
} from '@tollbridge/evm';
import { permit2Address } from '@tollbridge/onchain';
import { Interface } from 'ethers';
import { permitNonce } from './typed-data';

const erc20 = new Interface([
  'function balanceOf(address owner) view returns (uint256)',
  'function allowance(address owner, address spender) view returns (uint256)',
  'function approve(address spender, uint256 amount) returns (bool)',
]);
const permit2 = new Interface(['function nonceBitmap(address owner, uint256 word) view returns (uint256)']);

const unlimited = 2n ** 256n - 1n;

export interface Means {
  heldAtomic: bigint;
  allowedAtomic: bigint;
}

/** Reads a wallet's balance of a token, and the token's allowance for Permit2. @throws RpcError */
export async function readMeans(rpc: EvmRpc, tokenAddress: string, owner: string): Promise<Means> {
  const [held, allowed] = await Promise.all([
    rpc.ethCall({ to: tokenAddress, data: erc20.encodeFunctionData('balanceOf', [owner]) }),
    rpc.ethCall({
      to: tokenAddress,
      data: erc20.encodeFunctionData('allowance', [owner, permit2Address]),
    }),
  ]);
  return { heldAtomic: word(held), allowedAtomic: word(allowed) };
}

/** The call that grants Permit2 an allowance of the token. */
export const approveCall = (): string => erc20.encodeFunctionData('approve', [permit2Address, unlimited]);

/** Returns whether Permit2 has consumed the nonce of a batch at the given block. @throws RpcError */
export async function isNonceUsed(
  rpc: EvmRpc,
  owner: string,
  { payoutId, index }: { payoutId: string; index: number },
  height: number,
): Promise<boolean> {
  const nonce = permitNonce(payoutId, index);
  const data = permit2.encodeFunctionData('nonceBitmap', [owner, nonce >> 8n]);
  const bitmap = word(await rpc.ethCall({ to: permit2Address, data }, height));
  return ((bitmap >> (nonce & 255n)) & 1n) === 1n;
}

/**
 * Simulates a call on the latest block. Returns its gas or the reason of its failure. @throws RpcError without a reply
 */
export async function tryCall(rpc: EvmRpc, from: string, to: string, data: string): Promise<Tried> {
  const simulated = await simulateCalls(rpc, from, [{ to, data, valueAtomic: 0n }], maxTransactionGas);
  const [call] = simulated ?? [];
  if (!call) return estimateGas(rpc, { from, to, data });
  return call.succeeded ? { gasUnits: call.gasUnits } : { reason: revertReason(call.returnData) };
}

function word(answer: string): bigint {
  if (!/^0x[0-9a-f]{64}$/i.test(answer)) throw unreadable('a reply is not a number of 32 bytes');
  return BigInt(answer);
}

const unreadable = (text: string): RpcError =>
  new RpcError({ kind: 'badReply', reason: 'malformed', endpoint: 'node', text });
