import { UnreadableReply, readList, readText } from '@tollbridge/http';
import { id } from 'ethers';
import { readRpcResult } from '../json-rpc';

// https://github.com/starkware-libs/starknet-specs/blob/master/api/starknet_api_openrpc.json `starknet_call`,
// https://docs.starknet.io/resources/chain-info/ (the coin's contract)

/** Contract of the coin, which is an ERC-20 token like all others. */
export const coinContract = '0x4718f5a0fc34cc1af16a1cdee98ffb20c31f5cd61d6ab07201858f4287c938d';

/** The lower 250 bits of the hash of the function's name. */
export const balanceOfSelector = felt(BigInt(id('balanceOf')) & (2n ** 250n - 1n));

/** Removes leading zeros, which the specification does not allow but addresses of the registry have. */
export function felt(value: bigint | string): string {
  return `0x${BigInt(value).toString(16)}`;
}

export function balanceOfCall(contract: string, owner: string): object {
  const request = {
    contract_address: felt(contract),
    entry_point_selector: balanceOfSelector,
    calldata: [felt(owner)],
  };
  return { request, block_id: 'latest' };
}

/** Parses a u256 from two numbers of 128 bits, the lower one first. */
export function readBalanceOf(reply: unknown): bigint {
  const parts = readList(readRpcResult(reply), 'result');
  if (parts.length !== 2) throw new UnreadableReply('result is malformed');
  const [low = 0n, high = 0n] = parts.map((part) => {
    const text = readText(part, 'result[]');
    if (!/^0x[0-9a-fA-F]{1,32}$/.test(text)) throw new UnreadableReply('result[] is malformed');
    return BigInt(text);
  });
  return (high << 128n) | low;
}
