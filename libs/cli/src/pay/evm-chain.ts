import type { SandboxChain, WalletCall } from '@tollbridge/sdk';
import type { Abi } from 'viem';
import { setTimeout as sleep } from 'node:timers/promises';
import { CommandError } from '../exit-codes';

type Hex = `0x${string}`;

const requestTimeoutMs = 10_000;
const blockTimeoutMs = 30_000;

/** Calls a node. @throws CommandError */
export async function rpc<T>(url: string, method: string, params: object): Promise<T> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const headers = { 'content-type': 'application/json' };
  const signal = AbortSignal.timeout(requestTimeoutMs);
  const reply = await fetch(url, { method: 'POST', headers, body, signal }).catch(() => undefined);
  const answer = (await reply?.json().catch(() => undefined)) as
    | { result?: T; error?: { message?: string } }
    | undefined;
  if (answer?.error)
    throw new CommandError(`The node rejected ${method}: ${answer.error.message ?? 'no reason'}`);
  if (answer?.result === undefined) throw new CommandError(`The node at ${url} does not answer ${method}.`);
  return answer.result;
}

/**
 * Sends transactions one after the other. @returns the hash of the last transaction, which is in a block
 * @throws CommandError
 */
export async function sendCalls(
  { rpcUrl, chainId }: Pick<SandboxChain, 'rpcUrl' | 'chainId'>,
  privateKey: Hex,
  calls: readonly WalletCall[],
): Promise<string> {
  const { privateKeyToAccount } = await import('./evm-signer');
  const account = privateKeyToAccount(privateKey);
  let hash = '';
  for (const { to, data, value } of calls) {
    const call = { from: account.address, to, data, value: `0x${BigInt(value).toString(16)}` };
    const [nonce, price, gas] = await Promise.all([
      rpc<string>(rpcUrl, 'eth_getTransactionCount', [account.address, 'pending']),
      rpc<string>(rpcUrl, 'eth_gasPrice', []),
      rpc<string>(rpcUrl, 'eth_estimateGas', [call]),
    ]);
    const signed = await account.signTransaction({
      type: 'eip1559',
      chainId,
      nonce: Number(nonce),
      to: to as Hex,
      data: data as Hex,
      value: BigInt(value),
      gas: (BigInt(gas) * 6n) / 5n,
      maxFeePerGas: BigInt(price) * 2n,
      maxPriorityFeePerGas: 1n,
    });
    hash = await rpc<string>(rpcUrl, 'eth_sendRawTransaction', [signed]);
    await untilMined(rpcUrl, hash);
  }
  return hash;
}

async function untilMined(rpcUrl: string, hash: string): Promise<void> {
  for (const end = performance.now() + blockTimeoutMs; performance.now() < end; await sleep(150)) {
    // The receipt is null until the transaction is in a block.
    const receipt = await rpc<{ status: string } | null>(rpcUrl, 'eth_getTransactionReceipt', [hash]).catch(
      () => null,
    );
    if (receipt?.status === '0x0') throw new CommandError(`Transaction ${hash} was reverted.`);
    if (receipt) return;
  }
  throw new CommandError(`Transaction ${hash} is in no block after ${blockTimeoutMs / 1_000} s.`);
}

/** Returns the call for a token transfer. */
export const transferCall = (token: string, to: string, amountAtomic: bigint): Promise<WalletCall> =>
  tokenCall(token, 'function transfer(address to, uint256 amount)', [to, amountAtomic]);

/** Returns the call that approves a token for a spender. */
export const approveCall = (token: string, spender: string, amountAtomic: bigint): Promise<WalletCall> =>
  tokenCall(token, 'function approve(address spender, uint256 amount)', [spender, amountAtomic]);

/** Returns the call for a transfer from a wallet that has approved it. */
export const transferFromCall = (
  token: string,
  from: string,
  to: string,
  amountAtomic: bigint,
): Promise<WalletCall> =>
  tokenCall(token, 'function transferFrom(address from, address to, uint256 amount)', [
    from,
    to,
    amountAtomic,
  ]);

async function tokenCall(to: string, signature: string, args: readonly unknown[]): Promise<WalletCall> {
  const { encodeFunctionData, parseAbi } = await import('./evm-signer');
  const abi = parseAbi([signature]) as Abi;
  return { to, data: encodeFunctionData({ abi, args }), value: '0' };
}

/** Returns the approval of a token for a contract, and the call of `pay` with an order. */
export async function payCalls(
  contract: string,
  payAbi: SandboxChain['payAbi'],
  order: { order_id: string; amount_in: string; token_in_address: string; [member: string]: unknown },
): Promise<WalletCall[]> {
  const { encodeFunctionData } = await import('./evm-signer');
  const isNative = /^0x0{40}$/.test(order.token_in_address);
  const argument = { ...order, order_id: `0x${order.order_id.replaceAll('-', '')}` };
  const data = encodeFunctionData({ abi: payAbi as unknown as Abi, functionName: 'pay', args: [argument] });
  const pay = { to: contract, data, value: isNative ? order.amount_in : '0' };
  if (isNative) return [pay];
  return [await approveCall(order.token_in_address, contract, BigInt(order.amount_in)), pay];
}
