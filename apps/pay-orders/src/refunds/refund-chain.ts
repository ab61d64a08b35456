// What a chain is asked about the addresses of the refund account.
import { coinBalance, type EvmRpc, RpcError } from '@tollbridge/evm';
import { dataLength, Interface } from 'ethers';

const erc20 = new Interface([
  'function balanceOf(address owner) view returns (uint256)',
  'function transfer(address to, uint256 amount) returns (bool)',
]);
// Where chains of the OP stack say what the data of a transaction costs beside its gas.
const gasPriceOracle = '0x420000000000000000000000000000000000000F';
const oracle = new Interface(['function getL1Fee(bytes transaction) view returns (uint256)']);
// The price of data may move until the transaction is mined.
const dataFeeRoom = 2n;
// A signed transfer of a token has some 180 bytes.
const sampleTransaction = `0x${'ff'.repeat(220)}`;

export const transferCall = (to: string, amountAtomic: bigint): string =>
  erc20.encodeFunctionData('transfer', [to, amountAtomic]);

/** What an address holds of a token, or of the coin, as of a block. @throws RpcError */
export async function heldBy(
  rpc: EvmRpc,
  address: string,
  tokenAddress: string | null,
  at: number | 'latest',
): Promise<bigint> {
  if (tokenAddress === null) return coinBalance(rpc, address, at);
  const data = erc20.encodeFunctionData('balanceOf', [address]);
  const held = await rpc.ethCall({ to: tokenAddress, data }, at);
  if (dataLength(held) !== 32) throw unreadable('a balance is no number');
  return BigInt(held);
}

/** Wei that the chain takes for the data of a transfer beside its gas; 0 where it takes nothing. @throws RpcError */
export async function dataFeeOf(rpc: EvmRpc): Promise<bigint> {
  const data = oracle.encodeFunctionData('getL1Fee', [sampleTransaction]);
  const [fee] = await rpc.ethCalls([{ to: gasPriceOracle, data }]);
  return fee && dataLength(fee) === 32 ? BigInt(fee) * dataFeeRoom : 0n;
}

const unreadable = (text: string): RpcError =>
  new RpcError({ kind: 'badReply', reason: 'malformed', endpoint: 'node', text });
