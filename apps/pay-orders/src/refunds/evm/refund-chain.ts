// Calls of contracts for refunds.
import { type EvmRpc } from '@tollbridge/evm';
import { dataLength, Interface } from 'ethers';

const erc20 = new Interface(['function transfer(address to, uint256 amount) returns (bool)']);
// The contract of OP Stack chains that returns the data fee of a transaction.
const gasPriceOracle = '0x420000000000000000000000000000000000000F';
const oracle = new Interface(['function getL1Fee(bytes transaction) view returns (uint256)']);
// The data fee may rise until the transaction is mined.
const dataFeeRoom = 2n;
// A signed transfer of a token has some 180 bytes.
const sampleTransaction = `0x${'ff'.repeat(220)}`;

export const transferCall = (to: string, amountAtomic: bigint): string =>
  erc20.encodeFunctionData('transfer', [to, amountAtomic]);

/** Wei that a rollup charges for the data of a transfer beside its gas; 0 elsewhere. @throws RpcError */
export async function dataFeeOf(rpc: EvmRpc): Promise<bigint> {
  const data = oracle.encodeFunctionData('getL1Fee', [sampleTransaction]);
  const [fee] = await rpc.ethCalls([{ to: gasPriceOracle, data }]);
  return fee && dataLength(fee) === 32 ? BigInt(fee) * dataFeeRoom : 0n;
}
