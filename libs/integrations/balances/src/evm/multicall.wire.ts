import { UnreadableReply } from '@tollbridge/http';
import type { Chain, Token } from '@tollbridge/chains';
import { Interface } from 'ethers';
import { ReadFailure } from '../read-failure';

// https://github.com/mds1/multicall3: it has one address on nearly every EVM chain.

export const multicall3Address = '0xcA11bde05977b3631167028862bE2a173976CA11';

const multicall = new Interface([
  'function aggregate3((address target, bool allowFailure, bytes callData)[] calls) payable returns ((bool success, bytes returnData)[])',
  'function getEthBalance(address owner) view returns (uint256)',
]);
const erc20 = new Interface(['function balanceOf(address owner) view returns (uint256)']);

/** Encodes a single call for the coin and all tokens, in the order of the chain's tokens. */
export function encodeBalances(chain: Chain, owner: string): string {
  const calls = chain.tokens.map(({ address }) => ({
    target: address ?? multicall3Address,
    allowFailure: true,
    callData:
      address === null
        ? multicall.encodeFunctionData('getEthBalance', [owner])
        : erc20.encodeFunctionData('balanceOf', [owner]),
  }));
  return multicall.encodeFunctionData('aggregate3', [calls]);
}

/** Omits tokens with a failed call: no contract at the address, a revert, or an invalid reply. */
export function decodeBalances(chain: Chain, returned: string): Map<Token, bigint> {
  // Calling an address without a contract succeeds and returns nothing.
  if (returned === '0x') throw new ReadFailure(`Multicall3 is not at ${multicall3Address} on this chain`);
  const results = decodeResults(returned);
  if (results.length !== chain.tokens.length) throw new UnreadableReply('aggregate3 is malformed');
  const amounts = new Map<Token, bigint>();
  for (const [index, token] of chain.tokens.entries()) {
    const { success, returnData } = results[index]!;
    // Exactly one word, which is a number.
    if (success && /^0x[0-9a-f]{64}$/i.test(returnData)) amounts.set(token, BigInt(returnData));
    else if (token.address === null) throw new UnreadableReply('getEthBalance is malformed');
  }
  return amounts;
}

function decodeResults(returned: string): { success: boolean; returnData: string }[] {
  try {
    const [results] = multicall.decodeFunctionResult('aggregate3', returned);
    // Fields are decoded on access, so a malformed field throws here.
    return Array.from(results as Iterable<[boolean, string]>, ([success, returnData]) => ({
      success,
      returnData,
    }));
  } catch {
    throw new UnreadableReply('aggregate3 is malformed');
  }
}
