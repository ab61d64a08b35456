import { multicallInstructions, spokePoolAbi, spokePoolPeripheryAbi } from '@tollbridge/local-contracts';
import { getAddress, Interface, toBeHex, zeroPadValue } from 'ethers';

export const spokePool = new Interface([
  ...spokePoolAbi,
  'function multicall(bytes[] data) returns (bytes[] results)',
]);
export const periphery = new Interface(spokePoolPeripheryAbi);
export const multicallHandler = new Interface([
  'function drainLeftoverTokens(address token, address destination)',
  'function makeCallWithBalance(address target, bytes callData, uint256 value, (address token, uint256 offset)[] replacement)',
  'event CallsFailed((address target, bytes callData, uint256 value)[] calls, address indexed fallbackRecipient)',
]);
export const erc20 = new Interface([
  'function balanceOf(address account) view returns (uint256)',
  'function allowance(address owner, address spender) view returns (uint256)',
  'function approve(address spender, uint256 amount) returns (bool)',
  'function withdraw(uint256 amount)',
  'event Transfer(address indexed from, address indexed to, uint256 value)',
]);

/** Message of a deposit, as the handler decodes it. */
export const instructionsType = multicallInstructions;
export const refundLeafType =
  'tuple(uint256 amountToReturn, uint256 chainId, uint256[] refundAmounts, uint32 leafId, address l2TokenAddress, address[] refundAddresses)';

/** An EVM address as a 32-byte word: the contracts also serve other chains. */
export const toBytes32 = (address: string): string => zeroPadValue(address, 32);

/** Undefined for a value that is not an EVM address. */
export function fromBytes32(word: string): string | undefined {
  const value = BigInt(word);
  return value >> 160n === 0n ? getAddress(toBeHex(value, 20)) : undefined;
}
